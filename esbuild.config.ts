import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BuildOptions, type Metafile, build } from 'esbuild'
import { deployedFunctions } from './infra/functions.ts'

const root = import.meta.dirname

/** CommonJS packages inside an ES module bundle call `require` for Node's modules. */
export const commonJsBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"

export interface FunctionBundle {
  readonly name: string
  readonly sizeBytes: number
  readonly gzipBytes: number
  /** Bytes per package, largest first. */
  readonly packages: readonly { readonly name: string; readonly sizeBytes: number }[]
}

/**
 * Bundles every function of the catalogue: `functions/<name>/handler.ts` to `<outDirectory>/<name>/index.mjs`. Names
 * are not minified (docs/decisions/0013).
 */
export async function buildFunctions(outDirectory: string): Promise<FunctionBundle[]> {
  await mkdir(outDirectory, { recursive: true })
  return Promise.all(
    deployedFunctions.map(async ({ name, scripts }) => {
      const directory = join(outDirectory, name)
      const { bundle, runsScripts } = await bundleFunction(name, directory)
      if (runsScripts && !scripts)
        throw new Error(`${name} runs scripts: its entry in infra/functions.ts lacks \`scripts: true\``)
      if (scripts) await addSandbox(directory)
      return bundle
    }),
  )
}

export const bundling = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // Tree shaking works on the SDK's ES module builds only.
  mainFields: ['module', 'main'],
  minifyWhitespace: true,
  minifySyntax: true,
  treeShaking: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions

/**
 * Adds the script worker and its engine, which `shared/scripts/sandbox/host/load-engine.ts` looks for next to the
 * bundle.
 */
export async function addSandbox(directory: string): Promise<void> {
  await build({
    ...bundling,
    entryPoints: ['shared/scripts/sandbox/worker/worker.ts'],
    outfile: join(directory, 'script-worker.mjs'),
  })
  const engine = createRequire(import.meta.url).resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm')
  await copyFile(engine, join(directory, 'quickjs.wasm'))
}

async function bundleFunction(
  name: string,
  directory: string,
): Promise<{ bundle: FunctionBundle; runsScripts: boolean }> {
  const { outputFiles, metafile } = await build({
    ...bundling,
    entryPoints: [`functions/${name}/handler.ts`],
    outfile: join(directory, 'index.mjs'),
    write: false,
    banner: { js: commonJsBanner },
    metafile: true,
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error(`esbuild wrote nothing for ${name}`)
  await mkdir(directory, { recursive: true })
  await writeFile(file.path, file.contents)
  const sizes = { sizeBytes: file.contents.byteLength, gzipBytes: gzipSync(file.contents).byteLength }
  const runsScripts = Object.values(metafile.outputs).some(
    ({ inputs }) => 'shared/scripts/sandbox/sandbox.ts' in inputs,
  )
  return { bundle: { name, ...sizes, packages: sizeByPackage(metafile) }, runsScripts }
}

function sizeByPackage(metafile: Metafile): FunctionBundle['packages'] {
  const sizes = new Map<string, number>()
  for (const output of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      const owner = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1] ?? 'own code'
      sizes.set(owner, (sizes.get(owner) ?? 0) + bytesInOutput)
    }
  }
  return [...sizes].map(([name, sizeBytes]) => ({ name, sizeBytes })).toSorted((a, b) => b.sizeBytes - a.sizeBytes)
}

function printSizes(bundles: readonly FunctionBundle[]): void {
  const kb = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`.padStart(9)
  console.log(`${'function'.padEnd(14)}${'minified'.padStart(9)}${'gzip'.padStart(9)}  largest parts`)
  for (const { name, sizeBytes, gzipBytes, packages } of bundles) {
    const largest = packages.slice(0, 3).map((part) => `${part.name}${kb(part.sizeBytes).trimStart().padStart(7)}`)
    console.log(`${name.padEnd(14)}${kb(sizeBytes)}${kb(gzipBytes)}  ${largest.join(', ')}`)
  }
}

if (import.meta.main) printSizes(await buildFunctions(join(root, '.build', 'functions')))
