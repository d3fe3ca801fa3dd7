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
  --legal-comments=none --metafile=meta.json --outfile=codemirror.js
mkdir -p "$target"
cp codemirror.js "$target/codemirror.js"
python3 "$here/../write_vendor_manifest.py" CodeMirror codemirror tools/codemirror/build.sh codemirror.js "$target"
echo "built $target: $(wc -c < "$target/codemirror.js") bytes, $(gzip -9c "$target/codemirror.js" | wc -c) compressed"
