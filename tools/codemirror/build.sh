#!/usr/bin/env bash
# Build static/vendor/codemirror-6.0.2 from exact versions. For maintainers: needs Node.js and npm;
# users and CI take the built file, whose hash a test checks.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
target=$(cd "$here/../.." && pwd)/static/vendor/codemirror-6.0.2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/package.json" "$here/editor.js" "$work/"
cd "$work"
npm install --no-package-lock --no-audit --no-fund --silent
./node_modules/.bin/esbuild editor.js --bundle --format=esm --minify --target=es2022 \
  --legal-comments=none --outfile=codemirror.js
mkdir -p "$target"
cp codemirror.js "$target/codemirror.js"
cp node_modules/codemirror/LICENSE "$target/LICENSE.txt"
python3 - "$target" <<'PYTHON'
import hashlib, json, pathlib, sys
target = pathlib.Path(sys.argv[1])
versions = json.loads(pathlib.Path("package.json").read_text())["dependencies"]
names = ["codemirror.js", "LICENSE.txt"]
manifest = {
    "name": "CodeMirror",
    "version": versions["codemirror"],
    "licence": "MIT",
    "source": "npm packages " + ", ".join(f"{n} {v}" for n, v in versions.items() if n != "esbuild"),
    "built_with": f"tools/codemirror/build.sh (esbuild {versions['esbuild']})",
    "files": {n: hashlib.sha256((target / n).read_bytes()).hexdigest() for n in names},
}
(target / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
PYTHON
echo "built $target: $(wc -c < "$target/codemirror.js") bytes, $(gzip -9c "$target/codemirror.js" | wc -c) compressed"
