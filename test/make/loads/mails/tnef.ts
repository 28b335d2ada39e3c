/** A property of a mail as Outlook packs it: a number, bytes, or a text in Unicode. */
export function tnefProperty(id: number, value: number | string | Buffer): Buffer {
  const type = typeof value === 'number' ? 0x03 : typeof value === 'string' ? 0x1f : 0x102
  const head = Buffer.alloc(4)
  head.writeUInt16LE(type, 0)
  head.writeUInt16LE(id, 2)
  // Named ones have the set that they are of, and a number there.
  const name = id >= 0x8000 ? Buffer.alloc(24) : Buffer.alloc(0)
  if (typeof value === 'number') return Buffer.concat([head, name, long(value)])
  const bytes = typeof value === 'string' ? Buffer.from(`${value}\0`, 'utf16le') : value
  const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4)
  return Buffer.concat([head, name, long(1), long(bytes.length), bytes, padding])
}

interface TnefContent {
  readonly body?: string
  readonly properties?: readonly Buffer[]
  readonly files?: readonly { readonly name: string; readonly bytes: Buffer; readonly properties?: readonly Buffer[] }[]
}

/** A winmail.dat (MS-OXTNEF). */
export const tnefOf = ({ body, properties = [], files = [] }: TnefContent): Buffer =>
  Buffer.concat([
    long(0x22_3e_9f_78),
    Buffer.from([1, 0]),
    ...(body === undefined ? [] : [attribute(1, 0x02_80_0c, Buffer.from(`${body}\0`))]),
    ...(properties.length === 0 ? [] : [attribute(1, 0x06_90_03, listOf(properties))]),
    ...files.flatMap((file) => [
      attribute(2, 0x06_90_02, Buffer.alloc(14)),
      attribute(2, 0x01_80_10, Buffer.from(`${file.name}\0`)),
      attribute(2, 0x06_80_0f, file.bytes),
      ...(file.properties ? [attribute(2, 0x06_90_05, listOf(file.properties))] : []),
    ]),
  ])

const listOf = (properties: readonly Buffer[]): Buffer => Buffer.concat([long(properties.length), ...properties])

function attribute(level: number, id: number, data: Buffer): Buffer {
  const sum = Buffer.alloc(2)
  sum.writeUInt16LE(data.reduce((all, byte) => (all + byte) & 0xff_ff, 0))
  return Buffer.concat([Buffer.from([level]), long(id), long(data.length), data, sum])
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
