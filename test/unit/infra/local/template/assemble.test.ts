import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  assemble,
  type AssembleOptions,
  type Assembly,
  fingerprint,
} from '../../../../../infra/local/template/assemble.ts'

const repository = join(import.meta.dirname, '../../../../..')

const functions = ['auth', 'lists', 'records']

describe('the synth cache', () => {
  let root: string
  let builds: number
  let bundled: string[][]

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'assemble-'))
    builds = 0
    bundled = []
    for (const folder of ['shared/kernel/runtime', 'shared/kernel/time', 'functions/api/auth', 'infra/local'])
      mkdirSync(join(root, folder), { recursive: true })
    edit('shared/kernel/runtime/environment.ts', '1')
    edit('functions/api/auth/handler.ts', '1')
    edit('package.json', '{}')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const edit = (file: string, content: string): void => writeFileSync(join(root, file), content)
  const kept = (): string[] => readdirSync(join(root, '.build'))
  const run = (options: Partial<AssembleOptions> = {}): Promise<Assembly> =>
    assemble({
      root,
      report: () => undefined,
      async synthesize(_, outDirectory) {
        builds += 1
        await new Promise((resolve) => setTimeout(resolve, 20))
        for (const name of functions) {
          mkdirSync(join(outDirectory, `asset.${name}1`), { recursive: true })
          writeFileSync(join(outDirectory, `asset.${name}1`, 'function.json'), JSON.stringify({ name }))
        }
        writeFileSync(join(outDirectory, 'Service.template.json'), `{"build":${builds}}`)
      },
      async bundle(_, outDirectory, names) {
        bundled.push([...names])
        await new Promise((resolve) => setTimeout(resolve, 5))
        for (const name of names) {
          mkdirSync(join(outDirectory, name))
          writeFileSync(
            join(outDirectory, name, 'index.mjs'),
            readFileSync(join(root, 'functions/api/auth/handler.ts')),
          )
        }
      },
      ...options,
    })
  const codeOf = async (assembly: Assembly, name: string): Promise<string> =>
    readFileSync(join(await assembly.codeOf(join(assembly.assetDirectory, `asset.${name}1`)), 'index.mjs'), 'utf8')

  it('builds once for the same sources', async () => {
    const first = await run()
    expect((await run()).templateFiles).toEqual(first.templateFiles)
    expect(builds).toBe(1)
    expect(JSON.parse(readFileSync(first.templateFiles[0]!, 'utf8'))).toEqual({ build: 1 })
    expect(existsSync(first.assetDirectory)).toBe(true)
  })

  it.each(['shared/kernel/runtime/environment.ts', 'functions/api/auth/handler.ts', 'package.json'])(
    'builds again when %s changes, and finds the old build when it changes back',
    async (file) => {
      const before = readFileSync(join(root, file), 'utf8')
      const first = await run()
      edit(file, '2')
      expect((await run()).templateFiles).not.toEqual(first.templateFiles)
      expect(builds).toBe(2)
      edit(file, before)
      expect((await run()).templateFiles).toEqual(first.templateFiles)
      expect(builds).toBe(2)
    },
  )

  it('builds again when a file is added or moved', () => {
    const hashes = [fingerprint(root)]
    edit('shared/kernel/time/clock.ts', '')
    hashes.push(fingerprint(root))
    cpSync(join(root, 'shared/kernel/time/clock.ts'), join(root, 'shared/kernel/runtime/log.ts'))
    rmSync(join(root, 'shared/kernel/time/clock.ts'))
    hashes.push(fingerprint(root))
    expect(new Set(hashes).size).toBe(3)
  })

  it('does not build for changes to the local cloud', async () => {
    await run()
    edit('infra/local/gateway.ts', '2')
    await run()
    expect(builds).toBe(1)
  })

  it('gives two concurrent builds a complete assembly, and leaves no draft', async () => {
    const [one, other] = await Promise.all([run(), run()])
    expect(one.templateFiles).toEqual(other.templateFiles)
    expect(existsSync(one.templateFiles[0]!)).toBe(true)
    expect(kept()).toHaveLength(1)
  })

  it('builds again when the sources change during a build', async () => {
    const running = run()
    edit('shared/kernel/runtime/environment.ts', '2')
    expect((await running).templateFiles).toEqual((await run()).templateFiles)
    expect(builds).toBe(2)
  })

  it('leaves no draft when a build fails', async () => {
    const failing = assemble({
      root,
      report: () => undefined,
      synthesize: () => Promise.reject(new Error('no handler')),
    })
    await expect(failing).rejects.toThrow('no handler')
    expect(kept()).toEqual([])
  })

  it('keeps the three newest, and older ones in use by a running process', async () => {
    const made: Assembly[] = []
    for (const content of ['1', '2', '3', '4', '5']) {
      edit('shared/kernel/runtime/environment.ts', content)
      made.push(await run())
      const directory = join(made.at(-1)?.assetDirectory ?? '', '..')
      const usedAt = new Date(1_700_000_000_000 + made.length * 1000)
      // All but the first belong to a process that ended.
      if (content !== '1') rmSync(join(directory, 'in-use', String(process.pid)))
      utimesSync(directory, usedAt, usedAt)
    }
    expect(made.map(({ templateFiles }) => existsSync(templateFiles[0]!))).toEqual([true, false, true, true, true])
  })

  it('bundles every function by default, once', async () => {
    const assembly = await run()
    expect(bundled.flat().toSorted()).toEqual(functions)
    expect(assembly.missing()).toEqual([])
    await run()
    expect(bundled.flat()).toHaveLength(3)
  })

  it('bundles the first functions beside the template, and another one when its code is asked for', async () => {
    const assembly = await run({ first: ['auth'] })
    expect(await codeOf(assembly, 'auth')).toBe('1')
    expect(bundled).toEqual([['auth']])
    expect(assembly.missing()).toEqual(['lists', 'records'])
    expect(await Promise.all([codeOf(assembly, 'lists'), codeOf(assembly, 'lists')])).toEqual(['1', '1'])
    expect(bundled).toEqual([['auth'], ['lists']])
    await assembly.bundleMissing()
    expect(bundled).toEqual([['auth'], ['lists'], ['records']])
    expect((await run({ first: [] })).missing()).toEqual([])
  })

  it('bundles a function that somebody waits for before those that nobody does', async () => {
    const many = functions.concat(['files', 'jobs', 'history', 'scripts', 'tables'])
    functions.push(...many.slice(3))
    onTestFinished(() => void functions.splice(3))
    const assembly = await run({ first: [] })
    const rest = assembly.bundleMissing()
    await codeOf(assembly, many.at(-1) as string)
    await rest
    expect(bundled.at(-1)).not.toContain(many.at(-1))
    expect(bundled.flat().toSorted()).toEqual(many.toSorted())
  })

  it('rejects with what the bundler says, and tries again for the next who asks', async () => {
    let fails = true
    const assembly = await run({
      first: [],
      async bundle(_, outDirectory, names) {
        if (fails) throw new Error('no handler')
        for (const name of names) {
          mkdirSync(join(outDirectory, name))
          writeFileSync(join(outDirectory, name, 'index.mjs'), 'mended')
        }
      },
    })
    await expect(codeOf(assembly, 'lists')).rejects.toThrow('no handler')
    fails = false
    expect(await codeOf(assembly, 'lists')).toBe('mended')
    expect(kept()).toHaveLength(1)
  })

  it('keeps bundles of sources that changed since the start out of the cache', async () => {
    const lines: string[] = []
    const assembly = await run({ first: [], report: (line) => lines.push(line) })
    edit('functions/api/auth/handler.ts', '2')
    expect(await codeOf(assembly, 'lists')).toBe('2')
    expect(lines.at(-1)).toBe('The sources changed since this start: start again to run one version of all functions.')
    edit('functions/api/auth/handler.ts', '1')
    expect(await codeOf(await run({ first: [] }), 'lists')).toBe('1')
  })

  it('hashes the sources quickly', () => {
    // In time of the processor, and the best of five: other tests run beside it.
    const times = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage()
      fingerprint(repository)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    })
    expect(Math.min(...times)).toBeLessThan(1_500)
  })
})
