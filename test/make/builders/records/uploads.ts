import type { TestService } from '../../services/service.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001', 'hex')

/** Content that begins like a file of its type. */
export const sample = {
  png,
  text: Buffer.from('two\nlines\n'),
  pdf: Buffer.from('%PDF-1.7\n%âãÏÓ\n'),
} as const

export interface FileToUpload {
  readonly name?: string
  readonly type?: string
  readonly content?: Buffer
  /** The announced size; that of the content by default. */
  readonly size?: number
  readonly token?: string
}

/** Announces a file as `token`, by default the administrator; answers the data of the API. */
export async function announce(
  service: TestService,
  {
    name = 'photo.png',
    type = 'image/png',
    content = png,
    size = content.length,
    token = service.admin.token,
  }: FileToUpload = {},
) {
  const { status, body } = await service.api('POST', '/api/files', { token, body: { name, content_type: type, size } })
  if (status !== 201) throw new Error(`files: ${JSON.stringify(body)}`)
  return body.data as {
    path: string
    upload: { url: string; method: string; headers: Record<string, string>; expires_at: string }
  }
}

/** Sends the bytes as a browser does, with method and headers from the API. */
export const send = ({ upload: to }: Awaited<ReturnType<typeof announce>>, content: Buffer = png): Promise<Response> =>
  fetch(to.url, { method: to.method, headers: to.headers, body: new Uint8Array(content) })

/** Uploads a file; answers its path. */
export async function upload(service: TestService, file: FileToUpload = {}): Promise<string> {
  const announced = await announce(service, file)
  const { status } = await send(announced, file.content)
  if (status !== 200) throw new Error(`upload: ${status}`)
  return announced.path
}
