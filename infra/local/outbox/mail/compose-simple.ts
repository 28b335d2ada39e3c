/** The message that SES makes of a simple content. */

interface Part {
  readonly Data?: string
}
export interface SimpleContent {
  readonly Subject?: Part
  readonly Body?: { readonly Text?: Part; readonly Html?: Part }
  readonly Headers?: readonly { readonly Name: string; readonly Value: string }[]
  readonly Attachments?: readonly {
    readonly FileName: string
    /** In base64. */
    readonly RawContent: string
    readonly ContentType?: string
  }[]
}

interface Addresses {
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly replyTo: readonly string[]
}

/** The MIME message with all parts of the content. */
export async function composeSimple(
  { Subject, Body = {}, Headers = [], Attachments = [] }: SimpleContent,
  { from, to, cc, replyTo }: Addresses,
): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await composer.sendMail({
    from,
    to: [...to],
    cc: [...cc],
    replyTo: [...replyTo],
    subject: Subject?.Data,
    text: Body.Text?.Data,
    html: Body.Html?.Data,
    headers: Headers.map(({ Name, Value }) => ({ key: Name, value: Value })),
    attachments: Attachments.map(({ FileName, RawContent, ContentType }) => ({
      filename: FileName,
      content: RawContent,
      encoding: 'base64',
      contentType: ContentType,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return message as Buffer
}
