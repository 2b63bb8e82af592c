// Builds the one bundle of the viewer, and the list of licences of what is in it.
//   node build.mjs [FOLDER]      by default python/congestree/view/static
import { mkdirSync, readFileSync, writeFileSync, existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../python/congestree/view/static");

const result = await build({
  absWorkingDir: here,
  entryPoints: ["src/index.ts"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  loader: { ".css": "text" },
  define: { "process.env.NODE_ENV": '"production"', "globalThis.process": "undefined" },
  legalComments: "none",
  metafile: true,
  write: false,
  logLevel: "warning",
});

// The packages whose code is in the bundle, each with its licence as it stands in the package.
const packages = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const found = [...input.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].at(-1);
  if (found) packages.add(input.slice(0, found.index) + `node_modules/${found[1]}`);
}
const parts = [...packages].sort().map((folder) => {
  const path = join(here, folder);
  const facts = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const file = readdirSync(path).find((name) => /^licen[cs]e/i.test(name));
  const text = file && existsSync(join(path, file)) ? readFileSync(join(path, file), "utf8").trim() : "";
  return `${facts.name} ${facts.version}: ${facts.license}\n${text ? `\n${text}\n` : ""}`;
});
mkdirSync(out, { recursive: true });
const rule = `\n${"-".repeat(80)}\n\n`;
writeFileSync(join(out, "LICENSES.txt"), `What the viewer is built from\n${rule}${parts.join(rule)}`);
writeFileSync(join(out, "viewer.js"), result.outputFiles[0].text);
console.log(`viewer.js: ${Math.round(result.outputFiles[0].text.length / 1000)} kB, ${parts.length} packages`);
