/**
 * `npm run client`: writes the types of the client (`shared/client`). Without options those of any tenant, from the
 * routes of this checkout; with an address and a token those of one's own tables, from a running service.
 */

import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { OpenApiDocument } from '../../shared/platform/http/openapi/document-types.ts'
import { errorMessage } from '../operate/error-message.ts'
import { fetchDocument } from './fetch-document.ts'
import { genericDocument, genericTypesPath, markLine } from './generic-document.ts'
import { onlyBelow } from './only-below.ts'
import { onlySuccesses } from './only-successes.ts'
import { writeTypes } from './write-types.ts'

const usage = `Usage: npm run client                                  the types of any tenant, into ${genericTypesPath}
       npm run client -- --url <address> --token <token> --out <file.d.ts>
         [--tables <name,name>]  only these tables
         [--only <prefix>]       only addresses that begin so, such as /api/e/`

try {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      token: { type: 'string' },
      out: { type: 'string' },
      tables: { type: 'string' },
      only: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const { url, token, out, tables, only, help } = values
  const own = [url, token, out].filter((value) => value !== undefined).length
  if (help) console.log(usage)
  else if (own === 3) {
    const document = await fetchDocument(url as string, token as string, tables)
    await save(only === undefined ? document : onlyBelow(document, only), resolve(out as string))
    const left = document.info['x-left-out-tables'] ?? []
    if (left.length > 0)
      console.warn(
        `Left out, because the answer would be too large: ${left.join(', ')}. Name those you need with --tables.`,
      )
  } else if (own === 0 && tables === undefined && only === undefined) await save(genericDocument(), genericTypesPath)
  else {
    console.error(`--url, --token and --out belong together.\n${usage}`)
    process.exitCode = 1
  }
} catch (error) {
  console.error(errorMessage(error, usage))
  process.exitCode = 1
}

async function save(given: OpenApiDocument, path: string): Promise<void> {
  const document = onlySuccesses(given)
  await writeFile(path, `${markLine(document)}\n${await writeTypes(document)}`)
  console.log(`Wrote ${path}`)
}
