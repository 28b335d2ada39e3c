import { decode } from './tnef.ts'

/** RTF of a mail that is read, compressed and as it says that it is without that. */
const maxCompressedBytes = 2 * 1024 * 1024
const maxRtfBytes = 8 * 1024 * 1024

/** The HTML or the text that Outlook keeps as RTF (MS-OXRTFEX); undefined for RTF that was written as such, or is broken. */
export async function bodyOfRtf(
  compressed: Buffer,
): Promise<{ readonly kind: 'text' | 'html'; readonly content: string } | undefined> {
  if (compressed.length < 16 || compressed.length > maxCompressedBytes || compressed.readUInt32LE(4) > maxRtfBytes)
    return undefined
  const [{ decompressRTF }, { deEncapsulateSync }] = await Promise.all([
    import('@kenjiuno/decompressrtf'),
    import('rtf-stream-parser'),
  ])
  try {
    const rtf = Buffer.from(decompressRTF([...compressed]))
    const { mode, text } = deEncapsulateSync(rtf, {
      mode: 'either',
      outputMode: 'string',
      decode: (bytes, encoding) => decode(bytes, Number(/\d+/.exec(encoding)?.[0] ?? 1252)),
    })
    return { kind: mode, content: text.toString() }
  } catch {
    // What these packages cannot read stays in the file that it came in, and the mail says so.
    return undefined
  }
}
