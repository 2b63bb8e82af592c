// Builds the one bundle of the viewer, and the list of licences of what is in it.
//   node build.mjs [FOLDER]      by default python/congestree/view/static
import { mkdirSync, readFileSync, writeFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../python/congestree/view/static");

const bundle = (licences) =>
  build({
    absWorkingDir: here,
    entryPoints: ["src/index.ts"],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    loader: { ".css": "text" },
    define: { "process.env.NODE_ENV": '"production"', "globalThis.process": "undefined", LICENCES: JSON.stringify(licences) },
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "warning",
  });

// The packages whose code is in the bundle, each with its licence as it stands in the package; those with the same text together.
const packages = new Set();
for (const input of Object.keys((await bundle("")).metafile.inputs)) {
  const found = [...input.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].at(-1);
  if (found) packages.add(input.slice(0, found.index) + `node_modules/${found[1]}`);
}
const texts = new Map();
for (const folder of [...packages].sort()) {
  const path = join(here, folder);
  const facts = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const file = readdirSync(path).find((name) => /^licen[cs]e/i.test(name));
  const text = file ? readFileSync(join(path, file), "utf8").replaceAll("\r\n", "\n").trim() : "";
  texts.set(text, [...(texts.get(text) ?? []), `${facts.name} ${facts.version}: ${facts.license}`]);
}
const rule = `\n\n${"-".repeat(80)}\n\n`;
const licences = ["What the viewer is built from", ...[...texts].map(([text, names]) => `${names.join("\n")}\n\n${text}`.trim())].join(rule);

mkdirSync(out, { recursive: true });
writeFileSync(join(out, "LICENSES.txt"), `${licences}\n`);
// A page that is sent to somebody carries them, too: the list of keys shows them.
const [{ text: program }] = (await bundle(licences)).outputFiles;
writeFileSync(join(out, "viewer.js"), program);
console.log(`viewer.js: ${Math.round(program.length / 1000)} kB, ${packages.size} packages`);
