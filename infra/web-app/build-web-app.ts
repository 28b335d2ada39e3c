import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { bundleWebApp, pageOf, root } from './bundle-web-app.ts'

const store = join(root, '.build')
const keptBuilds = 3

/** Builds the web app into `directory`: each file as `<name>.br` and `<name>.gz`. What was built before is copied. */
export async function addWebApp(directory: string): Promise<void> {
  await cp(await builtWebApp(), directory, { recursive: true })
}

/** The folder with the app of the current sources, from `.build/web-<hash>` or newly built. */
export async function builtWebApp(): Promise<string> {
  const folder = join(store, `web-${fingerprint()}`)
  if (existsSync(folder)) return folder
  await mkdir(store, { recursive: true })
  const draft = await mkdtemp(join(store, `draft-${process.pid}-web-`))
  try {
    const app = await bundleWebApp({ isForProduction: true })
    await Promise.all(
      [...app.files, await pageOf(app)].map(({ name, contents }) => compress(join(draft, name), contents)),
    )
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process was faster; its folder has the same content.
    if (!existsSync(folder)) throw error
  }
  prune()
  return folder
}

async function compress(path: string, contents: Uint8Array): Promise<void> {
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: contents.byteLength }
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(contents, { params }),
    promisify(gzip)(contents, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, zipped)])
}

/** SHA-256 over what the app is made of. Packages count by the lockfile. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const files = [
    'package-lock.json',
    ...filesBelow('web'),
    ...filesBelow('infra/web-app'),
    ...filesBelow('shared/client'),
  ]
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 20)
}

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .toSorted()

/** Deletes all but the newest builds. */
function prune(): void {
  const builds = readdirSync(store)
    .filter((name) => /^web-[0-9a-f]{20}$/.test(name))
    .map((name) => ({ name, builtAtMs: statSync(join(store, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.builtAtMs - a.builtAtMs)
  for (const { name } of builds.slice(keptBuilds)) rmSync(join(store, name), { recursive: true, force: true })
}
