import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BuildOptions, build, type Plugin } from 'esbuild'

const root = import.meta.dirname

/** Defines `require` in an ES module bundle, because CommonJS packages in it call it for Node's modules. */
export const commonJsBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"

export interface FunctionBundle {
  readonly name: string
  readonly sizeBytes: number
  readonly gzipBytes: number
  /** The size of each package in the bundle, largest first. */
  readonly packages: readonly { readonly name: string; readonly sizeBytes: number }[]
}

/**
 * Bundles `functions/<kind>/<name>/handler.ts` of the named functions, by default of every deployed one, to
 * `<outDirectory>/<name>/index.mjs`. Names in the code are not minified (docs/decisions/0013). Throws when a function
 * runs scripts without `scripts: true` in infra/catalogue/functions.ts.
 */
export async function buildFunctions(outDirectory: string, names?: readonly string[]): Promise<FunctionBundle[]> {
  // Reading the catalogue takes as long as bundling a function, so both are done at once.
  const catalogue = import('./infra/catalogue/functions.ts')
  const bundles = await bundleFunctions(names ?? (await catalogue).deployedFunctions.map(({ name }) => name))
  const { deployedFunctions } = await catalogue
  return Promise.all(
    bundles.map(async ({ name, code, inputs }) => {
      const { scripts, webApp, folders = {} } = deployedFunctions.find((entry) => entry.name === name) ?? {}
      const directory = join(outDirectory, name)
      await mkdir(directory, { recursive: true })
      await writeFile(join(directory, 'index.mjs'), code)
      if (process.env.BUNDLE_INPUTS !== undefined)
        await writeFile(join(directory, inputsFile), JSON.stringify(inputs.filter(isOwn)))
      const runsScripts = inputs.some(({ path }) => path === 'shared/scripts/sandbox/sandbox.ts')
      if (runsScripts && !scripts)
        throw new Error(`${name} runs scripts: its entry in infra/catalogue/functions.ts lacks \`scripts: true\``)
      if (scripts) await addSandbox(directory)
      if (inputs.some(({ path }) => path === layoutThread))
        await writeFile(join(directory, 'layout-worker.mjs'), await bundleWorker(layoutWorker))
      if (webApp) await (await import('./infra/web-app/build-web-app.ts')).addWebApp(join(directory, 'app'))
      for (const [folder, source] of Object.entries(folders))
        await cp(join(root, source), join(directory, folder), { recursive: true })
      return {
        name,
        sizeBytes: code.byteLength,
        gzipBytes: gzipSync(code).byteLength,
        packages: sizeByPackage(inputs),
      }
    }),
  )
}

export const bundling = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // Only the ES module builds of the SDK can be tree-shaken.
  mainFields: ['module', 'main'],
  minifyWhitespace: true,
  minifySyntax: true,
  treeShaking: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions

/**
 * Adds the script worker and its engine, which `shared/scripts/sandbox/host/load-engine.ts` loads from the bundle's
 * folder.
 */
export async function addSandbox(directory: string): Promise<void> {
  await writeFile(join(directory, 'script-worker.mjs'), await bundleWorker('shared/scripts/sandbox/worker/worker.ts'))
  const engine = createRequire(import.meta.url).resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm')
  await copyFile(engine, join(directory, 'quickjs.wasm'))
}

/** What starts a thread, and what the thread runs, which has to stand beside the bundle. */
const [layoutThread, layoutWorker] = ['layout-thread.ts', 'layout-worker.ts'].map(
  (file) => `shared/automation/bpmn/diagram/${file}`,
) as [string, string]

const workers = new Map<string, Promise<Uint8Array>>()

/** Bundles what a thread runs, once for all functions that start it. */
function bundleWorker(entry: string): Promise<Uint8Array> {
  const made =
    workers.get(entry) ??
    build({ ...bundling, entryPoints: [entry], write: false }).then(
      ({ outputFiles }) => outputFiles[0]?.contents as Uint8Array,
    )
  workers.set(entry, made)
  return made
}

/** A source file in a bundle. */
export interface BundleInput {
  readonly path: string
  readonly sizeBytes: number
  /** The files that this one imports. */
  readonly imports: readonly string[]
}

interface BundledCode {
  readonly name: string
  readonly code: Uint8Array
  /** The files that remain after tree shaking. */
  readonly inputs: readonly BundleInput[]
}

/** Beside a bundle, with `BUNDLE_INPUTS`: its `BundleInput`s of the repository, for tests. Nothing deploys it. */
export const inputsFile = 'inputs.json'
const isOwn = ({ path }: BundleInput): boolean => !path.includes('node_modules/')

/** What starts a function, and so the folder it is in. */
const functionKinds = ['api', 'stream', 'queue', 'schedule'] as const

/** The folder of a deployed function, relative to the repository: `functions/api/records`. Throws for an unknown name. */
export function functionFolder(name: string): string {
  const folder = functionKinds.map((kind) => `functions/${kind}/${name}`).find((path) => existsSync(join(root, path)))
  if (folder === undefined && name.startsWith(deliveries)) return 'functions/queue/delivery'
  if (folder === undefined) throw new Error(`no folder functions/<${functionKinds.join('|')}>/${name}`)
  return folder
}

/** What the names of the functions that send begin with; their type of channel follows. */
const deliveries = 'delivery-'

/** Writes the entries of the functions that send: they differ in the sender that they load. */
const deliveryEntries: Plugin = {
  name: 'delivery-entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^delivery-/, namespace: '' }, ({ path, kind }) =>
      kind === 'entry-point' ? { path, namespace: 'entry' } : undefined,
    )
    onLoad({ filter: /^/, namespace: 'entry' }, ({ path }) => ({
      contents: `
        import { attemptDeliveries } from './functions/queue/delivery/handler.ts'
        const load = () => import('./shared/messages/senders/types/${path.slice(deliveries.length)}.ts')
        export const handler = attemptDeliveries(load)`,
      resolveDir: root,
    }))
  },
}

/** Bundles functions in memory, each on its own. One call for all: what they share is parsed once. */
async function bundleFunctions(names: readonly string[]): Promise<BundledCode[]> {
  const { outputFiles, metafile } = await build({
    ...bundling,
    entryPoints: names.map((name) => ({ in: entryOf(name), out: `${name}/index` })),
    plugins: [deliveryEntries],
    outdir: join(root, '.build'),
    outExtension: { '.js': '.mjs' },
    write: false,
    banner: { js: commonJsBanner },
    metafile: true,
  })
  return names.map((name) => {
    const file = outputFiles.find(({ path }) => path === join(root, '.build', name, 'index.mjs'))
    const output = metafile.outputs[`.build/${name}/index.mjs`]
    if (file === undefined || output === undefined) throw new Error(`esbuild made nothing of ${name}`)
    const inputs = Object.entries(output.inputs).filter(
      ([path, { bytesInOutput }]) => bytesInOutput > 0 && !path.startsWith('entry:'),
    )
    return {
      name,
      code: file.contents,
      inputs: inputs.map(([path, { bytesInOutput }]) => ({
        path,
        sizeBytes: bytesInOutput,
        imports: metafile.inputs[path]?.imports.map((imported) => imported.path) ?? [],
      })),
    }
  })
}

/** The file that the bundle of a function starts with, or a name of `deliveryEntries`. */
function entryOf(name: string): string {
  const folder = functionFolder(name)
  return folder.endsWith('/delivery') ? name : `${folder}/handler.ts`
}

function sizeByPackage(inputs: readonly BundleInput[]): FunctionBundle['packages'] {
  const sizes = new Map<string, number>()
  for (const { path, sizeBytes } of inputs) {
    const owner = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1] ?? 'own code'
    sizes.set(owner, (sizes.get(owner) ?? 0) + sizeBytes)
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

if (import.meta.main) {
  const [outDirectory = join(root, '.build', 'functions'), ...names] = process.argv.slice(2)
  printSizes(await buildFunctions(outDirectory, names.length > 0 ? names : undefined))
}
