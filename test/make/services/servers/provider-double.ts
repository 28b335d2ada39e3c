/**
 * A provider of sign-ins, and the mailboxes that it opens by Microsoft Graph, as far as the service uses them. `graph-folder`
 * of the contract suite says what it promises.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ProviderDouble = Awaited<ReturnType<typeof openProvider>>

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export async function openProvider() {
  const provider = {
    /** Forms that the token endpoint received. */
    asked: [] as Record<string, string>[],
    /** Codes that somebody who signed in brought back, with the challenge of the sign-in. */
    codes: new Map<string, string>(),
    /** The refresh token that works; none does once it is undefined. */
    refresh: undefined as string | undefined,
    tokens: new Set<string>(),
    inbox: [] as { readonly id: string; readonly raw: string; readonly receivedAt: string }[],
    /** Mails that were sent, as MIME. */
    sent: [] as { readonly user: string; readonly mime: string }[],
    /** Links of a generation before this one are too old. */
    generation: 0,
    perPage: 2,
    issuer: '',
    port: 0,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
  let issued = 0

  const tokenOf = (form: Record<string, string>): { readonly status: number; readonly body: object } => {
    if (form.client_secret !== 'secret of the app') return { status: 401, body: { error: 'invalid_client' } }
    if (form.grant_type === 'authorization_code') {
      const challenge = provider.codes.get(form.code ?? '')
      provider.codes.delete(form.code ?? '')
      const made = createHash('sha256')
        .update(form.code_verifier ?? '')
        .digest('base64url')
      if (challenge === undefined || challenge !== made) return { status: 400, body: { error: 'invalid_grant' } }
    }
    if (form.grant_type === 'refresh_token' && form.refresh_token !== provider.refresh)
      return { status: 400, body: { error: 'invalid_grant', error_description: 'The sign-in has ended.' } }
    issued += 1
    const access_token = `access-token-${issued}`
    provider.tokens.add(access_token)
    const isOfPerson = form.grant_type !== 'client_credentials'
    if (isOfPerson) provider.refresh = `refresh-token-${issued}`
    const refresh = isOfPerson ? { refresh_token: provider.refresh } : {}
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 3600, ...refresh } }
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer)
    const answer = (status: number, body: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const text = await textOf(request)
    if (url.pathname === '/.well-known/openid-configuration')
      return answer(200, {
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
      })
    if (url.pathname === '/token') {
      const form = Object.fromEntries(new URLSearchParams(text))
      provider.asked.push(form)
      const { status, body } = tokenOf(form)
      return answer(status, body)
    }
    const [, user = '', rest = ''] = /^\/v1\.0\/users\/([^/]+)\/(.*)$/.exec(decodeURIComponent(url.pathname)) ?? []
    const token = (request.headers.authorization ?? '').replace('Bearer ', '')
    if (!provider.tokens.has(token)) return answer(401, { error: { code: 'InvalidAuthenticationToken' } })
    if (rest === 'sendMail' && request.method === 'POST') {
      provider.sent.push({ user, mime: Buffer.from(text, 'base64').toString() })
      return response.writeHead(202).end()
    }
    if (rest === 'mailFolders/inbox')
      return answer(200, { id: 'folder-of-inbox', totalItemCount: provider.inbox.length })
    if (rest.startsWith('mailFolders/folder-of-inbox/messages/delta')) {
      const from = Number(url.searchParams.get('$skiptoken') ?? 0)
      if (url.searchParams.get('generation') !== String(provider.generation) && url.searchParams.has('$skiptoken'))
        return answer(410, { error: { code: 'SyncStateNotFound' } })
      const page = provider.inbox.slice(from, from + provider.perPage)
      const next = from + page.length
      const link = `${provider.issuer}${url.pathname}?$skiptoken=${next}&generation=${provider.generation}`
      return answer(200, {
        value: page.map(({ id, receivedAt }) => ({ id, receivedDateTime: receivedAt })),
        [next < provider.inbox.length ? '@odata.nextLink' : '@odata.deltaLink']: link,
      })
    }
    const [, id, part] = /^messages\/([^/]+?)(\/\$value)?$/.exec(rest) ?? []
    const mail = provider.inbox.find((one) => one.id === id)
    if (mail && part) return response.writeHead(200, { 'content-type': 'text/plain' }).end(mail.raw)
    return answer(404, { error: { code: 'ErrorItemNotFound' } })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  provider.port = (server.address() as AddressInfo).port
  provider.issuer = `http://127.0.0.1:${provider.port}`
  return provider
}
