import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { JobAnswer } from '../../../../../shared/platform/jobs/schema.ts'

const root = join(import.meta.dirname, '../../../../..')

/**
 * The kinds that the code defines, read from its text: to load everything that a job may do takes seconds. The name is a
 * literal, or a constant of the service.
 */
async function definedKinds(): Promise<string[]> {
  const names: string[] = []
  const constants = new Map<string, string>()
  for await (const file of glob('shared/**/*.ts', { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8')
    for (const [, name, value] of text.matchAll(/^export const (\w+Kind) = '([\w-]+)'/gm))
      constants.set(`${folderOf(file)}/${name}`, value as string).set(name as string, value as string)
    for (const [, name] of text.matchAll(/^ {2}defineJob(?:<[^(]*>)?\(\s*('[\w-]+'|\w+),/gm))
      names.push(name?.startsWith("'") ? name.slice(1, -1) : `${folderOf(file)}/${name}`)
  }
  const bare = (name: string): string => name.slice(name.lastIndexOf('/') + 1)
  return names.map((name) => constants.get(name) ?? constants.get(bare(name)) ?? name).toSorted()
}

/** Two slices may have constants of the same name. */
const folderOf = (file: string): string => file.split('/').slice(1, -1).join('/')

it('the contract and the reference list every kind of job, and no other', async () => {
  const kinds = await definedKinds()
  const runner = await readFile(join(root, 'functions/queue/job-runner/job-kinds.ts'), 'utf8')
  expect(kinds).toHaveLength([...runner.matchAll(/^ {2}\w+Job\(/gm)].length)

  const contract = await readFile(join(root, 'docs/contract.md'), 'utf8')
  const [, listed = ''] = /\/api\/sys\/jobs\/\{id\}`: `\{ id, kind: ([\w|\s-]+), status/.exec(contract) ?? []
  const inContract = listed.split('|').map((kind) => kind.trim())
  expect(inContract.toSorted()).toEqual(kinds)

  const { description = '' } = JobAnswer.shape.kind.meta() ?? {}
  const inReference = [...description.matchAll(/`([\w-]+)`/g)].map(([, kind]) => kind)
  expect(inReference.toSorted()).toEqual(kinds)
})
