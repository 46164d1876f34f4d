class Tilebase < Formula
  desc "SUMMARY"
  homepage "REPOSITORY"
  version "VERSION"
  license any_of: ["MIT", "Apache-2.0"]
PLACES
  def install
    bin.install "tilebase"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/tilebase.bash" => "tilebase"
    fish_completion.install "completions/tilebase.fish"
    zsh_completion.install "completions/_tilebase"
  end

  test do
    assert_match "31", shell_output("#{bin}/tilebase solve --db #{testpath} '8 6 7/2 5 4/3 0 1'")
  end
end
