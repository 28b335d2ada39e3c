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
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assemble, type Assembly, fingerprint } from '../../../../../infra/local/template/assemble.ts'

const repository = join(import.meta.dirname, '../../../../..')

describe('the synth cache', () => {
  let root: string
  let builds: number

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'assemble-'))
    builds = 0
    for (const folder of ['shared/kernel', 'functions/auth', 'infra/local'])
      mkdirSync(join(root, folder), { recursive: true })
    edit('shared/kernel/environment.ts', '1')
    edit('functions/auth/handler.ts', '1')
    edit('package.json', '{}')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const edit = (file: string, content: string): void => writeFileSync(join(root, file), content)
  const kept = (): string[] => readdirSync(join(root, '.build'))
  const run = (): Promise<Assembly> =>
    assemble({
      root,
      report: () => undefined,
      async synthesize(_, outDirectory) {
        builds += 1
        await new Promise((resolve) => setTimeout(resolve, 20))
        mkdirSync(outDirectory)
        writeFileSync(join(outDirectory, 'Service.template.json'), `{"build":${builds}}`)
      },
    })

  it('builds once for the same sources', async () => {
    const first = await run()
    expect(await run()).toEqual(first)
    expect(builds).toBe(1)
    expect(JSON.parse(readFileSync(first.templateFile, 'utf8'))).toEqual({ build: 1 })
    expect(existsSync(first.assetDirectory)).toBe(true)
  })

  it.each(['shared/kernel/environment.ts', 'functions/auth/handler.ts', 'package.json'])(
    'builds again when %s changes, and finds the old build when it changes back',
    async (file) => {
      const before = readFileSync(join(root, file), 'utf8')
      const first = await run()
      edit(file, '2')
      expect(await run()).not.toEqual(first)
      expect(builds).toBe(2)
      edit(file, before)
      expect(await run()).toEqual(first)
      expect(builds).toBe(2)
    },
  )

  it('builds again when a file is added or moved', () => {
    const hashes = [fingerprint(root)]
    edit('shared/kernel/clock.ts', '')
    hashes.push(fingerprint(root))
    cpSync(join(root, 'shared/kernel/clock.ts'), join(root, 'shared/kernel/log.ts'))
    rmSync(join(root, 'shared/kernel/clock.ts'))
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
    expect(one).toEqual(other)
    expect(existsSync(one.templateFile)).toBe(true)
    expect(kept()).toHaveLength(1)
  })

  it('builds again when the sources change during a build', async () => {
    const running = run()
    edit('shared/kernel/environment.ts', '2')
    expect(await running).toEqual(await run())
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
      edit('shared/kernel/environment.ts', content)
      made.push(await run())
      const directory = join(made.at(-1)?.assetDirectory ?? '', '..')
      const usedAt = new Date(1_700_000_000_000 + made.length * 1000)
      // All but the first belong to a process that ended.
      if (content !== '1') rmSync(join(directory, 'in-use', String(process.pid)))
      utimesSync(directory, usedAt, usedAt)
    }
    expect(made.map(({ templateFile }) => existsSync(templateFile))).toEqual([true, false, true, true, true])
  })

  it('hashes the sources quickly', () => {
    fingerprint(repository)
    const startedAt = performance.now()
    fingerprint(repository)
    expect(performance.now() - startedAt).toBeLessThan(250)
  })
})
