#!/usr/bin/env bash
# Build static/vendor/d3-zoom-3.0.0 from exact versions. For maintainers: needs Node.js and npm;
# users and CI take the built file, whose hash a test checks.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
target=$(cd "$here/../.." && pwd)/static/vendor/d3-zoom-3.0.0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/package.json" "$here/zoom.js" "$work/"
cd "$work"
npm install --no-package-lock --no-audit --no-fund --silent
./node_modules/.bin/esbuild zoom.js --bundle --format=esm --minify --target=es2022 \
  --legal-comments=none --metafile=meta.json --outfile=d3-zoom.js
mkdir -p "$target"
cp d3-zoom.js "$target/d3-zoom.js"
python3 "$here/../write_vendor_manifest.py" d3-zoom d3-zoom tools/d3-zoom/build.sh d3-zoom.js "$target"
echo "built $target: $(wc -c < "$target/d3-zoom.js") bytes, $(gzip -9c "$target/d3-zoom.js" | wc -c) compressed"
