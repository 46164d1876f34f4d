//! Signed manifests: only archives that the key has signed are installed or opened.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use pdb_core::{TableKey, WalkingKey};
use pdb_format::digest;
use pdb_format::manifest::Manifest;
use pdb_gen::{
    Build, GenError, InstallReport, Monitor, PublicKey, ShipReport, SignatureError, SignedManifest,
    install, ship, write_file,
};
use pdb_tests::scratch;
use pdb_tests::signing::SigningKey;
use tempfile::TempDir;

const COMMENT: &str = "timestamp:1\tfile:manifest.json\thashed";
const SIGNATURE: &str = "manifest.json.minisig";
/// Length of the longest signature that is read.
const SIGNATURE_BYTES_MAX: usize = 16 << 10;

fn walking(lines: usize, line_len: usize) -> TableKey {
    TableKey::Walking(WalkingKey { lines, line_len, blank_line: 0 }.canonical().0)
}

/// Tables of two boards, shipped and signed, and a target folder with one old table.
struct Shipment {
    folder: TempDir,
    signer: SigningKey,
    key: PublicKey,
    old: PathBuf,
}

impl Shipment {
    fn new() -> Self {
        let folder = scratch();
        let signer = SigningKey::new(1);
        let key = PublicKey::parse(&signer.public()).expect("a good key");
        let old = folder.path().join("installed").join(walking(2, 3).file_name());
        let parcel = Self { folder, signer, key, old };
        for table in [walking(2, 3), walking(3, 3)] {
            let tables = parcel.path("tables");
            Build::new(&tables).in_memory(&table).expect("a small table");
        }
        parcel.ship("out", &[walking(2, 3), walking(3, 3)]);
        parcel.sign(&parcel.signer);
        write(&parcel.old, b"an old table");
        parcel
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns a file in the folder of the shipment.
    fn out(&self, name: &str) -> PathBuf {
        self.path("out").join(name)
    }

    fn archive(&self, key: TableKey) -> PathBuf {
        self.out(&format!("{}.zst", key.file_name()))
    }

    fn ship(&self, out: &str, keys: &[TableKey]) -> ShipReport {
        let path = |key: &TableKey| self.path("tables").join(key.file_name());
        let tables: Vec<PathBuf> = keys.iter().map(path).collect();
        ship(&tables, &self.path(out), 1, 1, &Monitor::silent()).expect("the tables are good")
    }

    fn manifest(&self) -> String {
        String::from_utf8(read(&self.out("manifest.json"))).expect("a manifest is text")
    }

    /// Signs the manifest in its present form.
    fn sign(&self, signer: &SigningKey) {
        let signature = signer.sign(&read(&self.out("manifest.json")), COMMENT);
        write(&self.out(SIGNATURE), signature.as_bytes());
    }

    /// Replaces the manifest and the digest list by others that match each other.
    fn replace_manifest(&self, text: &str) {
        write(&self.out("manifest.json"), text.as_bytes());
        let manifest = Manifest::parse(text).expect("a manifest");
        let archives = manifest.archives.iter().map(|e| (e.archive_digest, e.archive.as_str()));
        let files = archives.chain([(digest(text.as_bytes()), "manifest.json")]);
        let lines: Vec<_> = files.map(|(digest, name)| format!("{digest}  {name}\n")).collect();
        write(&self.out("B3SUMS"), lines.concat().as_bytes());
    }

    fn install(
        &self,
        inputs: &[PathBuf],
        key: Option<&PublicKey>,
    ) -> Result<InstallReport, GenError> {
        install(inputs, &self.path("installed"), key, &|_| None, 1, &Monitor::silent())
    }

    /// Checks that installing fails with the key, and leaves only the old table.
    #[track_caller]
    fn refused(&self, input: &Path) -> GenError {
        let error = self.install(&[input.to_owned()], Some(&self.key)).expect_err("not signed");
        assert_eq!(read(&self.old), b"an old table", "{error}");
        let installed = self.path("installed").read_dir().expect("the folder is there");
        assert_eq!(installed.count(), 1, "{error}");
        error
    }

    /// Checks that folder and archive are refused because of the signature. The error must name the
    /// signature and the key.
    #[track_caller]
    fn signature_refused(&self) -> SignatureError {
        let of = |input: &Path| {
            let error = self.refused(input);
            let text = error.to_string();
            let start = format!("{}: expected a", self.out(SIGNATURE).display());
            assert!(text.starts_with(&start) && text.contains(&self.signer.id()), "{text}");
            match error {
                GenError::Signature { source, expected, .. } if expected == self.key.id() => source,
                other => panic!("another error: {other}"),
            }
        };
        let error = of(&self.path("out"));
        assert_eq!(of(&self.archive(walking(2, 3))), error);
        error
    }
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).expect("the file is there")
}

fn write(path: &Path, bytes: &[u8]) {
    write_file(path, bytes).expect("the folder is writable");
}

/// Returns the text of an archive's fault, without the path.
fn archive_error(error: GenError) -> String {
    match error {
        GenError::Archive { source, .. } => source.to_string(),
        other => panic!("another error: {other}"),
    }
}

#[test]
fn archives_signed_with_the_key_are_installed() {
    let parcel = Shipment::new();
    let manifest = SignedManifest {
        path: parcel.out("manifest.json"),
        public_key: parcel.key.id(),
        trusted_comment: COMMENT.into(),
    };
    let archives = [walking(2, 3), walking(3, 3)].map(|key| parcel.archive(key));
    for inputs in [vec![parcel.path("out")], archives.to_vec()] {
        for already_there in [false, true] {
            let report = parcel.install(&inputs, Some(&parcel.key)).expect("all is signed");
            assert_eq!(report.tables.len(), 2);
            for table in &report.tables {
                assert_eq!(table.already_there, already_there);
                let name = table.path.file_name().expect("a table has a name");
                assert_eq!(read(&table.path), read(&parcel.path("tables").join(name)));
            }
            assert_eq!(report.manifests, std::slice::from_ref(&manifest));
        }
        fs::remove_dir_all(parcel.path("installed")).expect("it is there");
    }
}

#[test]
fn signatures_are_ignored_without_a_key() {
    let parcel = Shipment::new();
    let table = parcel.path("tables").join(walking(2, 3).file_name());
    let inputs = [parcel.path("out"), parcel.archive(walking(2, 3)), table];
    write(&parcel.out(SIGNATURE), b"not a signature");
    for input in inputs {
        let report = parcel.install(&[input], None).expect("all is undamaged");
        assert_eq!(report.manifests, []);
    }
}

#[test]
fn a_manifest_without_a_good_signature_is_refused_before_any_archive_is_opened() {
    let parcel = Shipment::new();
    let signer = &parcel.signer;
    // If the archive were opened, the error would be another one.
    for key in [walking(2, 3), walking(3, 3)] {
        write(&parcel.archive(key), b"not an archive");
    }
    let path = parcel.out(SIGNATURE);
    let good = String::from_utf8(read(&path)).expect("text");
    let manifest = parcel.manifest();

    fs::remove_file(&path).expect("it is there");
    assert_eq!(parcel.signature_refused(), SignatureError::Missing);

    let other = SigningKey::new(2);
    parcel.sign(&other);
    let found = PublicKey::parse(&other.public()).expect("a good key").id();
    assert_eq!(parcel.signature_refused(), SignatureError::OtherKey(found));
    // Anybody can use the key's number.
    parcel.sign(&SigningKey::with_id(2, [1; 8]));
    assert_eq!(parcel.signature_refused(), SignatureError::Mismatch);

    let with = |text: &str| {
        write(&path, text.as_bytes());
        parcel.signature_refused()
    };
    let legacy = signer.sign_legacy(manifest.as_bytes(), COMMENT);
    assert_eq!(with(&legacy), SignatureError::Legacy);
    let renamed = legacy.replace("\nRW", "\nRU");
    assert_eq!(with(&renamed), SignatureError::Mismatch);
    let comment = good.replace("timestamp:1", "timestamp:2");
    assert_eq!(with(&comment), SignatureError::Mismatch);
    let another = signer.sign(b"another manifest", COMMENT);
    assert_eq!(with(&another), SignatureError::Mismatch);
    // The comment of one signature with the other lines of another.
    let mixed: Vec<&str> = good.lines().take(2).chain(another.lines().skip(2)).collect();
    assert_eq!(with(&(mixed.join("\n") + "\n")), SignatureError::Mismatch);
    for text in ["", "\n\n\n\n", "not a signature", &manifest, &signer.public(), &good.repeat(2)] {
        assert_eq!(with(text), SignatureError::Malformed, "{text}");
    }
    write(&path, &[good.as_bytes(), b"\xff"].concat());
    assert_eq!(parcel.signature_refused(), SignatureError::Malformed);

    // A manifest that names another archive, and two manifests with the same content in another
    // form, each with a matching digest list.
    write(&path, good.as_bytes());
    let mut renamed = Manifest::parse(&manifest).expect("a manifest");
    renamed.archives[0].archive_digest.0[0] ^= 1;
    let spaced = manifest.replacen("format\": 1", "format\":  1", 1);
    for changed in [renamed.to_json(), spaced, manifest.clone() + "\n"] {
        assert_ne!(changed, manifest);
        parcel.replace_manifest(&changed);
        assert_eq!(parcel.signature_refused(), SignatureError::Mismatch);
    }
    // The text of an unsigned manifest is not parsed.
    write(&parcel.out("manifest.json"), b"{");
    assert_eq!(parcel.signature_refused(), SignatureError::Mismatch);
}

#[test]
fn a_signature_is_a_regular_file_of_bounded_length() {
    let parcel = Shipment::new();
    let path = parcel.out(SIGNATURE);
    let elsewhere = parcel.path("elsewhere");
    fs::rename(&path, &elsewhere).expect("same file system");
    for leads_to in [elsewhere.as_path(), Path::new("/dev/zero"), Path::new("nowhere")] {
        symlink(leads_to, &path).expect("links can be made");
        assert_eq!(parcel.signature_refused(), SignatureError::NotAFile);
        fs::remove_file(&path).expect("it is there");
    }
    fs::create_dir(&path).expect("the folder is writable");
    assert_eq!(parcel.signature_refused(), SignatureError::NotAFile);
    fs::remove_dir(&path).expect("it is there");
    let made = Command::new("mkfifo").arg(&path).status().expect("a tool of every system");
    assert!(made.success());
    assert_eq!(parcel.signature_refused(), SignatureError::NotAFile);
    fs::remove_file(&path).expect("it is there");

    let manifest = parcel.manifest();
    let sign = |comment: &str| parcel.signer.sign(manifest.as_bytes(), comment);
    let room = SIGNATURE_BYTES_MAX - sign("").len();
    let signature = sign(&"x".repeat(room + 1));
    assert_eq!(parcel.key.verify(manifest.as_bytes(), &signature), Ok("x".repeat(room + 1)));
    write(&path, signature.as_bytes());
    assert_eq!(parcel.signature_refused(), SignatureError::Malformed);
    let comment = "\u{1b}[2J\u{202e}".to_owned() + &"x".repeat(room - 7);
    write(&path, sign(&comment).as_bytes());
    let report = parcel.install(&[parcel.path("out")], Some(&parcel.key)).expect("not too long");
    assert_eq!(report.manifests[0].trusted_comment, comment);
}

#[test]
fn files_without_a_signature_are_refused() {
    let parcel = Shipment::new();
    let uncovered = |input: &Path| match parcel.refused(input) {
        GenError::Unsigned { path, expected, found } => {
            assert_eq!((path.as_path(), expected), (input, parcel.key.id()));
            found
        }
        other => panic!("another error: {other}"),
    };
    let table = parcel.path("tables").join(walking(2, 3).file_name());
    assert_eq!(uncovered(&table), "a table, which no manifest names");
    let (name, packed) = (format!("{}.zst", walking(2, 3).file_name()), walking(2, 3));
    let alone = parcel.path("alone").join(name);
    write(&alone, &read(&parcel.archive(packed)));
    assert_eq!(uncovered(&alone), "no manifest beside it");
    // An archive beside a signed manifest, with a name that the manifest does not have.
    let other = parcel.out("other.pdb.zst");
    write(&other, &read(&parcel.archive(packed)));
    assert_eq!(uncovered(&other), "a manifest that does not name it");

    // One bad archive in any position makes all others fail.
    for inputs in [[parcel.path("out"), table.clone()], [alone.clone(), parcel.path("out")]] {
        parcel.install(&inputs, Some(&parcel.key)).expect_err("one is not signed");
        assert_eq!(read(&parcel.old), b"an old table");
        assert!(!parcel.path("installed").join(walking(3, 3).file_name()).exists());
    }
}

#[test]
fn an_archive_that_is_not_the_one_of_the_signed_manifest_is_not_installed() {
    let parcel = Shipment::new();
    let (one, other) = (parcel.archive(walking(2, 3)), parcel.archive(walking(3, 3)));
    let good = read(&one);
    let refused = || {
        let error = archive_error(parcel.refused(&one));
        assert_eq!(archive_error(parcel.refused(&parcel.path("out"))), error);
        error
    };
    // An archive of another table.
    write(&one, &read(&other));
    assert!(refused().starts_with("expected length in bytes "));
    // The same table in as many bytes: zstd ignores some bits.
    let table = zstd::stream::decode_all(&good[..]).expect("an archive");
    let flipped = |bit: usize| {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        bad
    };
    let unpacks = |bad: &Vec<u8>| zstd::stream::decode_all(&bad[..]).is_ok_and(|all| all == table);
    let ignored = (0..good.len() * 8).map(flipped).find(unpacks);
    write(&one, &ignored.expect("zstd ignores some bits"));
    assert!(refused().starts_with("expected digest "));

    // The key's owner has signed a wrong manifest: the name of one archive with the data of
    // another.
    write(&one, &read(&other));
    let mut manifest = Manifest::parse(&parcel.manifest()).expect("a manifest");
    let [first, second] = &mut manifest.archives[..] else { panic!("two archives") };
    (first.archive_bytes, first.archive_digest) = (second.archive_bytes, second.archive_digest);
    parcel.replace_manifest(&manifest.to_json());
    parcel.sign(&parcel.signer);
    assert!(refused().starts_with("expected table "));

    // A signature does not replace the digest list.
    write(&parcel.out("B3SUMS"), b"not a list");
    let error = archive_error(parcel.refused(&parcel.path("out")));
    assert!(error.starts_with("expected the line "), "{error}");
}

#[test]
fn shipping_equal_tables_keeps_a_signature_and_shipping_others_removes_it() {
    let parcel = Shipment::new();
    let path = parcel.out(SIGNATURE);
    let good = read(&path);
    let report = parcel.ship("out", &[walking(2, 3), walking(3, 3)]);
    assert_eq!(report.removed_signature, None);
    assert_eq!(read(&path), good);
    parcel.install(&[parcel.path("out")], Some(&parcel.key)).expect("still signed");

    let manifest = parcel.out("manifest.json");
    let before = read(&manifest);
    for (nth, before) in [Some(&before[..]), None, Some(b"\xff")].into_iter().enumerate() {
        write(&path, &good);
        match before {
            Some(bytes) => write(&manifest, bytes),
            None => fs::remove_file(&manifest).expect("it is there"),
        }
        let report = parcel.ship("out", &[[walking(2, 3)], [walking(3, 3)]][nth % 2]);
        assert_eq!(report.removed_signature.as_ref(), Some(&path));
        assert!(!path.exists());
    }
    // There is no signature to remove.
    assert_eq!(parcel.ship("out", &[walking(3, 3)]).removed_signature, None);
    parcel.sign(&parcel.signer);
    parcel.install(&[parcel.path("out")], Some(&parcel.key)).expect("signed again");

    // A link is not followed.
    fs::rename(&path, parcel.path("elsewhere")).expect("same file system");
    symlink(parcel.path("elsewhere"), &path).expect("links can be made");
    parcel.ship("out", &[walking(2, 3)]);
    assert!(fs::symlink_metadata(&path).is_err() && parcel.path("elsewhere").exists());
}
