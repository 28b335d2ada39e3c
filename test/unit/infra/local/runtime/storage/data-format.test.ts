import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import {
  checkDataFormat,
  formatFile,
  noteDataFormat,
} from '../../../../../../infra/local/runtime/storage/data-format.ts'

async function directory(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'data-format-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

it('refuses data of a later format in one line that names the version which can read it', async () => {
  const data = await directory()
  await noteDataFormat(data, { format: 3, version: '2.1.0' })
  expect(() => checkDataFormat(data, { format: 2, version: '1.4.0' })).toThrow(
    /^Version 2\.1\.0 wrote the data in .* \(format 3\); this version, 1\.4\.0, reads formats up to 2: start version 2\.1\.0 or a later one, or restore a backup that is older\.$/,
  )
})

it('takes data of its own format, of an earlier one, and of versions that noted none', async () => {
  const data = await directory()
  const own = { format: 2, version: '1.4.0' }
  expect(() => checkDataFormat(data, own)).not.toThrow()
  for (const format of [1, 2]) {
    await noteDataFormat(data, { format, version: '9.0.0' })
    expect(() => checkDataFormat(data, own)).not.toThrow()
  }
})

it('does not guess what a damaged note says', async () => {
  const data = await directory()
  await writeFile(join(data, formatFile), '{"format":')
  expect(() => checkDataFormat(data, { format: 1, version: '1.0.0' })).toThrow('is damaged: restore a backup')
})
