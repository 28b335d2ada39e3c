import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSecretReader, UnreadableSecret } from '../../../../../shared/platform/secrets/secret-reference.ts'

const arn = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:mail-AbCdEf'
type Answer = { readonly status?: number; readonly body: object }

/** A reader over the SDK's own client, at a Secrets Manager that answers `answers` one after the other, the last one again. */
async function readerOf(...answers: [Answer, ...Answer[]]) {
  const asked: { target: unknown; body: unknown }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => (text += String(part)))
    request.on('end', () => {
      asked.push({ target: request.headers['x-amz-target'], body: JSON.parse(text) })
      const { status = 200, body } = answers[Math.min(asked.length, answers.length) - 1] as Answer
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = new SecretsManagerClient({
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
  })
  onTestFinished(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  const clock = { ms: 0, now: () => clock.ms }
  const read = createSecretReader(clock, async () => client)
  return { asked, clock, read: () => read('MAIL_PASSWORD_SECRET', arn) }
}
const stored = (SecretString: string): Answer => ({ body: { ARN: arn, SecretString } })
const fault = (name: string): Answer => ({ status: 400, body: { __type: name, message: 'no' } })

describe('a reference to a secret', () => {
  it.each([
    ['its text', 'hunter 2 ✓', 'hunter 2 ✓'],
    ['the password of a JSON object', '{"username":"desk","password":"p"}', 'p'],
    ['a text that only begins like JSON', '{no json', '{no json'],
  ])('is %s', async (_, text, password) => {
    const { read, asked } = await readerOf(stored(text))
    expect(await read()).toBe(password)
    expect(asked).toEqual([{ target: 'secretsmanager.GetSecretValue', body: { SecretId: arn } }])
  })

  it('is read once for all who ask, and again after 15 minutes', async () => {
    const { read, asked, clock } = await readerOf(stored('old'), stored('new'))
    expect(await Promise.all([read(), read()])).toEqual(['old', 'old'])
    clock.ms = 15 * 60_000 - 1
    expect(await read()).toBe('old')
    expect(asked.length).toBe(1)
    clock.ms += 1
    expect(await read()).toBe('new')
    expect(asked.length).toBe(2)
  })

  it('that failed is read again with the next attempt', async () => {
    const { read } = await readerOf(fault('InternalServiceError'), stored('p'))
    await expect(read()).rejects.toThrow('it is read again with the next attempt')
    expect(await read()).toBe('p')
  })

  it.each([
    ['does not exist', fault('ResourceNotFoundException'), /ResourceNotFoundException\): create the secret/],
    [
      'may not be read',
      fault('AccessDeniedException'),
      /AccessDeniedException\): a key of your own has to allow .*kms:Decrypt/,
    ],
    ['is empty', { body: { ARN: arn } }, /holds no password/],
    ['is an object without a password', stored('{"user":"hidden"}'), /store it as a text, or as the member "password"/],
  ])('that %s fails with its name and what to do', async (_, answer, message) => {
    const { read } = await readerOf(answer)
    const failure = await read().then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(UnreadableSecret)
    expect((failure as Error).message).toMatch(message)
    expect((failure as Error).message).toContain(`MAIL_PASSWORD_SECRET names ${arn}`)
    expect((failure as Error).message).not.toContain('hidden')
  })
})
