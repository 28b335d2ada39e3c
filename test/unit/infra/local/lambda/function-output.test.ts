import { expect, it } from 'vitest'
import { tinyCloud } from '../../../../make/services/tiny-cloud.ts'
import { tinyFunction, tinyTable } from '../../../../make/services/tiny-template.ts'

it('what functions print goes to whoever asked for it, with the name of the function', async () => {
  const printed: [string, string][] = []
  const cloud = await tinyCloud({
    resources: { Table: tinyTable(), One: tinyFunction('one'), Two: tinyFunction('two') },
    code: `
      export const one = async () => { process.stdout.write('from one\\n'); await new Promise(setImmediate); process.stderr.write('late\\n') }
      export const two = async () => { process.stdout.write(Buffer.from('from two\\n')) }`,
    onOutput: (functionName, text) => printed.push([functionName, text]),
  })
  await Promise.all([cloud.invoke('One'), cloud.invoke('Two')])
  expect(printed.toSorted()).toEqual([
    ['One', 'from one\n'],
    ['One', 'late\n'],
    ['Two', 'from two\n'],
  ])
  const { write } = process.stdout
  await cloud.stop()
  expect(process.stdout.write).not.toBe(write)
})
