import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const documents = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)))

/**
 * Paths of the repository in backticks, and relative links. A name with a placeholder stands for several files. Links
 * to the running service begin with `/api/`: the guides' story follows them.
 */
function pathsIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const named = [...text.matchAll(/`((?:shared|functions|infra|test|docs)\/[\w./-]+)`/g)].map(
    ([, path]) => path as string,
  )
  const linked = [...text.matchAll(/\]\((?!https?:|#|mailto:|\/api\/)([^)#\s]+)/g)].map(([, path]) =>
    join(dirname(file), path as string),
  )
  return [...named, ...linked]
}

describe('documentation', () => {
  it('has documents to check', () => expect(documents).toContain('README.md'))

  it.each(documents)('%s names only files and folders that exist', (file) => {
    expect(pathsIn(file).filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('keeps the README to a hundred lines', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(100)
  })

  it('gives every wing, the functions, infra and the tests a README that opens existing rooms only', () => {
    const wings = readdirSync(join(root, 'shared'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'client')
      .map(({ name }) => `shared/${name}`)
    const houses = [...wings, 'functions', 'infra', 'test']
    expect(houses.filter((house) => !documents.includes(`${house}/README.md`))).toEqual([])
    const missing = houses.flatMap((house) => {
      const rows = readFileSync(join(root, house, 'README.md'), 'utf8')
        .split('\n')
        .filter((line) => /^\| .* \| `/.test(line))
      const rooms = rows.flatMap((row) => [
        ...row.slice(row.lastIndexOf('|', row.length - 3)).matchAll(/`([\w./-]+)`/g),
      ])
      return rooms.map(([, room]) => `${house}/${room}`).filter((room) => !existsSync(join(root, room)))
    })
    expect(missing).toEqual([])
  })

  it('lists every decision in the index', () => {
    const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8')
    const records = documents.filter((file) => /^docs\/decisions\/\d{4}-/.test(file))
    expect(records.length).toBeGreaterThan(0)
    expect(records.filter((file) => !index.includes(`(${file.slice('docs/decisions/'.length)})`))).toEqual([])
  })
})
