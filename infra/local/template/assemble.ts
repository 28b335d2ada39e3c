import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { makeDraft, moveUnlessExists, prune, useFolder } from './build-folder.ts'
import { openBundles, type Urgency } from './bundles.ts'
import { bundle, synthesize } from './run-build.ts'

/** What an assembly depends on. Synthesis takes seconds, so its result is cached under a hash of these files. */
const inputs = [
  'shared',
  'functions',
  'infra',
  'web',
  join('docs', 'guide'),
  'esbuild.config.ts',
  'cdk.json',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]
/**
 * The local cloud, the commands, and the client with the generator of its types are in no bundle and no template, so
 * changes to them need no synthesis.
 */
const leftOut: ReadonlySet<string> = new Set(
  [
    ['infra', 'local'],
    ['infra', 'operate'],
    ['infra', 'client-types'],
    ['shared', 'client'],
  ].map((parts) => join(...parts)),
)

/** The templates that `cdk deploy` would upload, with the bundles of their functions. */
export interface Assembly {
  /** One for each stack. */
  readonly templateFiles: readonly string[]
  /** Contains a folder `asset.<hash>` per function. */
  readonly assetDirectory: string
  /** Whether the template was written by this call. */
  readonly isNew: boolean
  /** The folder with the code of an asset. Bundles it first if that was not done for these sources yet. */
  codeOf(assetFolder: string): Promise<string>
  /** The functions that are not bundled yet. */
  missing(): readonly string[]
  /** Bundles them, after those that somebody waits for. */
  bundleMissing(): Promise<void>
}

export interface AssembleOptions {
  /** The root of the repository. */
  readonly root: string
  /**
   * The functions to bundle while the template is written; others are bundled when they are first needed. Default: the
   * assembly is complete.
   */
  readonly first: readonly string[] | undefined
  /** Writes the CDK assembly of `root` into `outDirectory`. */
  readonly synthesize: (root: string, outDirectory: string) => Promise<void>
  /** Bundles functions of `root` into folders of `outDirectory`. */
  readonly bundle: (root: string, outDirectory: string, names: readonly string[], urgency: Urgency) => Promise<void>
  /** Receives a line before each step that takes seconds. */
  readonly report: (line: string) => void
}

const here: AssembleOptions = {
  root: join(import.meta.dirname, '../../..'),
  first: undefined,
  synthesize,
  bundle,
  report: console.log,
}

/**
 * Returns the assembly of the current sources, from `.build/<hash>` or newly built (without account and network).
 * Processes may build at the same time: each builds in its own folder and the first rename wins.
 */
export async function assemble(given: Partial<AssembleOptions> = {}): Promise<Assembly> {
  const options = { ...here, ...given }
  const { root, first, report } = options
  const store = join(root, '.build')
  const directory = join(store, fingerprint(root))
  const isCurrent = (): boolean => fingerprint(root) === basename(directory)
  const isKept = useFolder(directory)
  if (!isKept) mkdirSync(store, { recursive: true })

  const template = Promise.withResolvers<void>()
  // Whoever waits for a bundle gets the failure; without bundles nobody does.
  template.promise.catch(() => undefined)
  const bundles = openBundles({
    store,
    directory: join(directory, 'functions'),
    ready: template.promise,
    bundle: (outDirectory, names, urgency) => options.bundle(root, outDirectory, names, urgency),
    isCurrent,
    report,
  })
  if (!isKept) {
    report('Building the template and the functions that a start needs ...')
    for (const name of first ?? []) bundles.folderOf(name).catch(() => undefined)
    const draft = makeDraft(store)
    try {
      await options.synthesize(root, join(draft, 'assembly'))
      // The sources changed while the draft was built, so it matches neither version.
      if (!isCurrent()) {
        template.reject(new Error('The sources changed while they were built.'))
        return await assemble(given)
      }
      for (const name of ['in-use', 'functions']) mkdirSync(join(draft, name))
      moveUnlessExists(draft, directory)
    } catch (error) {
      template.reject(error)
      throw error
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
    useFolder(directory)
    prune(store)
  }
  template.resolve()

  const assetDirectory = join(directory, 'assembly')
  const files = readdirSync(assetDirectory)
  const templates = files.filter((name) => name.endsWith('.template.json')).toSorted()
  if (templates.length === 0) throw new Error(`The template was not written to ${assetDirectory}`)
  const names = new Map(
    files.filter((name) => name.startsWith('asset.')).map((name) => [name, nameOf(join(assetDirectory, name))]),
  )
  const missing = (): readonly string[] => bundles.missing([...names.values()])
  const assembly: Assembly = {
    templateFiles: templates.map((name) => join(assetDirectory, name)),
    assetDirectory,
    isNew: !isKept,
    codeOf: (assetFolder) => bundles.folderOf(names.get(basename(assetFolder)) as string),
    missing,
    bundleMissing: () => bundles.prepare(missing()),
  }
  if (first === undefined && missing().length > 0) {
    report(`Building ${missing().length} functions ...`)
    await assembly.bundleMissing()
  }
  return assembly
}

/** The function of an asset, which is not its bundle but names it. */
const nameOf = (assetFolder: string): string =>
  (JSON.parse(readFileSync(join(assetFolder, 'function.json'), 'utf8')) as { name: string }).name

/** SHA-256 over the names and contents of everything the assembly depends on. */
export function fingerprint(root: string): string {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename))
  for (const file of inputs.flatMap((input) => filesUnder(root, input)).toSorted()) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex').slice(0, 20)
}

function filesUnder(root: string, path: string): string[] {
  if (leftOut.has(path)) return []
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => filesUnder(root, join(path, name)))
}
