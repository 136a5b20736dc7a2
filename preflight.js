// Plain old JavaScript on purpose: it has to run, and speak, on any Node there is.
var version = process.versions.node;
if (Number(version.split(".")[0]) < 24) {
  process.stderr.write(
    "This project needs Node 24; this is Node " + version + ".\n" +
    "`npm ci` brings it along. After `npm ci --ignore-scripts`, run `npm rebuild node`, or install Node 24 yourself.\n"
  );
  process.exit(1);
}
