#!/bin/sh
# Makes the folder that a server runs: the built site and the packages it needs, without tests and build tools.
# Run it in the project's folder, with Node 24: sh deploy/layout.sh /opt/almoner
set -eu

target=${1:?Say which folder to make: sh deploy/layout.sh /opt/almoner}
if [ -e "$target" ]; then
  echo "$target exists. Name a new folder, so that what runs is never half replaced." >&2
  exit 1
fi
case $(command -v node) in
  */node_modules/*) echo "Install Node 24 on this machine: the one in node_modules goes while this runs." >&2; exit 1 ;;
esac
case $(node --version) in
  v24.*) ;;
  *) echo "This needs Node 24; this is $(node --version)." >&2; exit 1 ;;
esac

npm ci --ignore-scripts
node node_modules/vite/bin/vite.js build --logLevel warn

mkdir -p "$target/deploy"
cp -R package.json package-lock.json .npmrc preflight.js organisation.json LICENSE dist src database simulators dev "$target"
cp deploy/health.js "$target/deploy"
find "$target/src" "$target/database" "$target/simulators" "$target/dev" -name '*.test.ts*' -exec rm -f {} +
cd "$target"
npm ci --omit=dev --ignore-scripts
# What only people and compilers read.
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.?ts' -o -name '*.md' \) -exec rm -f {} +
echo "Made $target: $(du -sm . | cut -f1) MB. Start it with SITE_BUILD=never node src/app/start.js"
