import { Parser } from 'htmlparser2'
import { Invalid } from '../../../../kernel/failures/faults.ts'
import { createTurns } from '../../../../kernel/runtime/give-way.ts'

/** Far more than a workbook has. */
const maxDepth = 64
const maxAttributes = 200

/** Receives what a file of a workbook holds. Names are without their prefixes. */
export interface XmlReader {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string): void
  text?(text: string): void
  /** Whether the rest of the file is not wanted. */
  isDone?(): boolean
}

/** Reads an XML file as it comes in pieces, in turns with other work. Throws Invalid for one that is broken. */
export async function readXml(pieces: AsyncIterable<string>, reader: XmlReader): Promise<void> {
  let depth = 0
  let attributes = 0
  /** What closes from then on was left open. */
  let isOver = false
  const parser = new Parser(
    {
      onopentagname() {
        attributes = 0
        depth += 1
        if (depth > maxDepth) throw brokenWorkbook('its XML is nested too deeply')
      },
      onattribute() {
        attributes += 1
        if (attributes > maxAttributes) throw brokenWorkbook('an element of its XML has too many attributes')
      },
      onopentag: (name, given) => isWanted() && reader.open(localName(name), given),
      onclosetag(name) {
        depth -= 1
        if (isOver) throw brokenWorkbook('its XML is not complete')
        if (isWanted()) reader.close(localName(name))
      },
      ontext: (text) => isWanted() && reader.text?.(text),
    },
    { xmlMode: true },
  )
  const isWanted = (): boolean => reader.isDone?.() !== true
  const nextTurn = createTurns()
  for await (const piece of pieces) {
    parser.write(piece)
    if (!isWanted()) return
    await nextTurn()
  }
  isOver = true
  parser.end()
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The attribute of an element by its name without prefix. */
export const attributeOf = (attributes: Readonly<Record<string, string>>, name: string): string | undefined =>
  attributes[name] ?? Object.entries(attributes).find(([one]) => one.endsWith(`:${name}`))?.[1]

/** A file that cannot be imported. `why`: a sentence. */
export const noWorkbook = (why: string): Invalid => new Invalid({ path: [why] })

/** A file that no spreadsheet opens either. `why`: what is wrong with it. */
export const brokenWorkbook = (why: string): Invalid => noWorkbook(`The file is no workbook in XLSX: ${why}.`)
