import { Invalid, Malformed } from '../../../kernel/failures/faults.ts'
import { maxImportFileLines, maxImportRows } from '../../../kernel/limits/imports.ts'
import { createTurns } from '../../../kernel/runtime/give-way.ts'
import { parsedKeysOfRow } from '../../../platform/http/routing/json/json-body.ts'
import { refuseTooMany } from '../../../platform/http/routing/json/scan-json.ts'
import { tooManyLines } from './read-csv.ts'

/**
 * Reads NDJSON, a JSON value a line, into the rows of an import; lines without text are left out. Throws Malformed for a
 * line that is not JSON, with its number.
 */
export async function readNdjson(bytes: Buffer, most = maxImportRows): Promise<{ readonly rows: readonly unknown[] }> {
  const nextTurn = createTurns()
  const rows: unknown[] = []
  let line = 0
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(0x0a, from)
    const to = end === -1 ? bytes.length : end
    line += 1
    if (line > maxImportFileLines) throw tooManyLines()
    const given = bytes.subarray(from, to)
    from = to + 1
    refuseTooMany(given, { maxKeys: parsedKeysOfRow })
    const text = utf8(given, line).trim()
    if (text === '') continue
    if (rows.length === most)
      throw new Invalid({ rows: [`The rows may not have more than ${most} items: divide the file.`] })
    rows.push(parse(text, line))
    await nextTurn()
  }
  return { rows }
}

function utf8(bytes: Uint8Array, line: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Malformed('malformed_json', `Line ${line} is not valid UTF-8.`, { cause })
  }
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Malformed('malformed_json', `Line ${line} is not valid JSON: ${(cause as Error).message}`, { cause })
  }
}
