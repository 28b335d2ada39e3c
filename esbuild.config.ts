import { build, type Metafile } from 'esbuild'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { deployedFunctions } from './infra/functions.ts'

const root = import.meta.dirname

/** CommonJS packages inside an ES module bundle still call `require` for Node's own modules. */
const commonJsBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"

export interface FunctionBundle {
  readonly name: string
  readonly sizeBytes: number
  readonly gzipBytes: number
  /** What the bundle is made of: bytes per package, largest first. */
  readonly packages: readonly { readonly name: string; readonly sizeBytes: number }[]
}

/**
 * Bundles every function of the catalogue: `functions/<name>/handler.ts` becomes `<outDirectory>/<name>/index.mjs`.
 * No source maps: parsing them costs cold starts, and `keepNames` keeps stacks readable.
 */
export async function buildFunctions(outDirectory: string): Promise<FunctionBundle[]> {
  await mkdir(outDirectory, { recursive: true })
  return Promise.all(deployedFunctions.map(({ name }) => bundleFunction(name, outDirectory)))
}

async function bundleFunction(name: string, outDirectory: string): Promise<FunctionBundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`functions/${name}/handler.ts`],
    outfile: join(outDirectory, name, 'index.mjs'),
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // The ES module builds of the SDK can be shaken, its CommonJS builds cannot.
    mainFields: ['module', 'main'],
    minify: true,
    keepNames: true,
    treeShaking: true,
    legalComments: 'none',
    banner: { js: commonJsBanner },
    metafile: true,
    logLevel: 'warning',
  })
  const [bundle] = outputFiles
  if (bundle === undefined) throw new Error(`esbuild wrote nothing for ${name}`)
  await mkdir(join(outDirectory, name), { recursive: true })
  await writeFile(bundle.path, bundle.contents)
  return { name, sizeBytes: bundle.contents.byteLength, gzipBytes: gzipSync(bundle.contents).byteLength, packages: sizeByPackage(metafile) }
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
