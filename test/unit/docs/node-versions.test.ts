import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  engines: { node: string; npm: string }
  devDependencies: { node: string }
}
const oldest = /^>=(\d+)$/

describe('the versions of Node and npm', () => {
  const [node, npm] = [manifest.engines.node, manifest.engines.npm].map((range) => oldest.exec(range)?.[1])

  it.each(['README.md', 'CONTRIBUTING.md', 'docs/contract.md', 'docs/guide/getting-started.md'])(
    'are those of package.json in %s',
    (file) => {
      expect(read(file).replace(/\s+/g, ' ')).toContain(`Node ${node} or later with npm ${npm} or later`)
    },
  )

  it('are those of package.json in the lockfile', () => {
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { engines?: unknown }> }
    expect(lock.packages['']?.engines).toEqual(manifest.engines)
  })

  it('are those of the Node that npm ci installs, where the start and the bundles name it', () => {
    const [major] = manifest.devDependencies.node.split('.')
    expect(read('infra/local/start.mjs')).toContain(`< ${major}) {`)
    expect(read('esbuild.config.ts')).toContain(`target: 'node${major}'`)
    for (const file of ['README.md', 'CONTRIBUTING.md', 'infra/local/start.mjs'])
      expect(read(file).match(/the Node \d+ that/)?.[0]).toBe(`the Node ${major} that`)
  })
})
