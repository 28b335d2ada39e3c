import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readKeyFile } from '../../../../../infra/local/kms/key-file.ts'

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'key-file-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

it('makes a key file that only its owner can read, and reads it again', async () => {
  const path = join(await folder(), 'data', 'kms.key')
  const secret = await readKeyFile(path)
  expect([secret.length, await modeOf(path)]).toEqual([32, 0o600])
  expect(await readKeyFile(path)).toEqual(secret)
})

it('narrows the mode of a key file that others could read', async () => {
  const path = join(await folder(), 'kms.key')
  await readKeyFile(path)
  await chmod(path, 0o644)
  await readKeyFile(path)
  expect(await modeOf(path)).toBe(0o600)
})

it('refuses a damaged key file with a line for the operator', async () => {
  const path = join(await folder(), 'kms.key')
  await writeFile(path, 'short\n')
  await expect(readKeyFile(path)).rejects.toThrow('is damaged')
})

it('keeps a key in memory without a path', async () => {
  expect(await readKeyFile(undefined)).not.toEqual(await readKeyFile(undefined))
})
