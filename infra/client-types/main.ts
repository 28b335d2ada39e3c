/**
 * `npm run client`: writes the types of the client (`shared/client`). Without options those of any tenant, from the
 * routes of this checkout; with an address and a token those of one's own tables, from a running service.
 */

import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { OpenApiDocument } from '../../shared/platform/http/openapi/document-types.ts'
import { runCommand } from '../operate/command.ts'
import { fetchDocument } from './fetch-document.ts'
import { genericDocument, genericTypesPath, markLine } from './generic-document.ts'
import { onlyBelow } from './only-below.ts'
import { onlySuccesses } from './only-successes.ts'
import { writeTypes } from './write-types.ts'

const command = {
  name: 'client',
  does: `Writes the types of the client: without options those of any tenant, into shared/client/api.d.ts; with an
address, a token and a file those of your own tables.`,
  options: {
    url: { value: '<address>', meaning: 'of a running service' },
    token: { value: '<token>', meaning: 'of a login or an API key; only what it may read is described' },
    out: { value: '<file.d.ts>', meaning: 'where the types go' },
    tables: { value: '<name,name>', meaning: 'only these tables' },
    only: { value: '<prefix>', meaning: 'only addresses that begin so, such as /api/e/' },
  },
  example: '--url http://localhost:3000 --token "$TOKEN" --out my-api.d.ts',
} as const

await runCommand(command, async ({ url, token, out, tables, only }) => {
  if (url !== undefined && token !== undefined && out !== undefined) {
    const document = await fetchDocument(url, token, tables)
    await save(only === undefined ? document : onlyBelow(document, only), resolve(out))
    const left = document.info['x-left-out-tables'] ?? []
    if (left.length > 0)
      console.warn(
        `Left out, because the answer would be too large: ${left.join(', ')}. Name those you need with --tables.`,
      )
  } else if ([url, token, out, tables, only].every((value) => value === undefined))
    await save(genericDocument(), genericTypesPath)
  else throw new Error('--url, --token and --out belong together; npm run client -- --help says more.')
})

async function save(given: OpenApiDocument, path: string): Promise<void> {
  const document = onlySuccesses(given)
  await writeFile(path, `${markLine(document)}\n${await writeTypes(document)}`)
  console.log(`Wrote ${path}`)
}
