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
  --legal-comments=none --outfile=d3-zoom.js
mkdir -p "$target"
cp d3-zoom.js "$target/d3-zoom.js"
cp node_modules/d3-zoom/LICENSE "$target/LICENSE.txt"
python3 - "$target" <<'PYTHON'
import hashlib, json, pathlib, sys
target = pathlib.Path(sys.argv[1])
versions = json.loads(pathlib.Path("package.json").read_text())["dependencies"]
names = ["d3-zoom.js", "LICENSE.txt"]
manifest = {
    "name": "d3-zoom",
    "version": versions["d3-zoom"],
    "licence": "ISC",
    "source": "npm packages " + ", ".join(f"{n} {v}" for n, v in versions.items() if n != "esbuild"),
    "built_with": f"tools/d3-zoom/build.sh (esbuild {versions['esbuild']})",
    "files": {n: hashlib.sha256((target / n).read_bytes()).hexdigest() for n in names},
}
(target / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
PYTHON
echo "built $target: $(wc -c < "$target/d3-zoom.js") bytes, $(gzip -9c "$target/d3-zoom.js" | wc -c) compressed"
