import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { genericDocument, genericTypesPath, markLine } from '../../infra/client-types/generic-document.ts'
import { onlySuccesses } from '../../infra/client-types/only-successes.ts'
import { writeTypes } from '../../infra/client-types/write-types.ts'

it('the committed types of the client are what the generator writes: if this fails, run `npm run client`', async () => {
  const document = onlySuccesses(genericDocument())
  const written = `${markLine(document)}\n${await writeTypes(document)}`
  expect((await readFile(genericTypesPath, 'utf8')) === written).toBe(true)
}, 240_000)
