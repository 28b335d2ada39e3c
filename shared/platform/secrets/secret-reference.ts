import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { clientOptions } from '../../kernel/runtime/client-options.ts'
import type { Clock } from '../../kernel/time/clock.ts'

/** Reads a secret of the operator by its ARN, which the variable of that name holds. */
export type ReadSecret = (variable: string, arn: string) => Promise<string>

/** A reference that leads to no text. Its message holds the reference, never what the secret says. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret'
}

/** A rotated password is in use within this time, in which mails are tried again. */
const keptMs = 15 * 60_000

/** Loaded with the first secret: functions that name none start without the client. */
const openClient = async (): Promise<Pick<SecretsManagerClient, 'send'>> => {
  const { SecretsManagerClient: Client } = await import('@aws-sdk/client-secrets-manager')
  return new Client(clientOptions('secretsmanager'))
}

/**
 * Creates a reader of Secrets Manager that keeps what it read for 15 minutes, and nothing of a failed read. A secret is its text, or
 * the member `password` of a JSON object, as rotations of AWS store it. Throws UnreadableSecret.
 */
export function createSecretReader(
  clock: Pick<Clock, 'now'>,
  open: () => Promise<Pick<SecretsManagerClient, 'send'>> = openClient,
): ReadSecret {
  let client: ReturnType<typeof open> | undefined
  const kept = new Map<string, { readonly text: Promise<string>; readonly untilMs: number }>()

  async function read(variable: string, arn: string): Promise<string> {
    const { GetSecretValueCommand } = await import('@aws-sdk/client-secrets-manager')
    const answer = await (
      await (client ??= open())
    )
      .send(new GetSecretValueCommand({ SecretId: arn }))
      .catch((cause: unknown) => {
        const { name } = cause instanceof Error ? cause : new Error(String(cause))
        throw new UnreadableSecret(`${variable} names ${arn}, which cannot be read (${name}): ${remedyOf(name)}`, {
          cause,
        })
      })
    const text = passwordOf(answer.SecretString)
    if (text === undefined)
      throw new UnreadableSecret(
        `${variable} names ${arn}, which holds no password: store it as a text, or as the member "password" of a JSON object.`,
      )
    return text
  }

  return (variable, arn) => {
    const known = kept.get(arn)
    if (known && clock.now() < known.untilMs) return known.text
    const text = read(variable, arn)
    kept.set(arn, { text, untilMs: clock.now() + keptMs })
    text.catch(() => kept.delete(arn))
    return text
  }
}

function remedyOf(fault: string): string {
  if (fault === 'ResourceNotFoundException') return 'create the secret in this region, or correct the ARN.'
  if (fault === 'AccessDeniedException' || fault === 'DecryptionFailure')
    return 'a key of your own has to allow the role of the function kms:Decrypt.'
  return 'it is read again with the next attempt.'
}

/** The text itself, unless it is a JSON object. */
function passwordOf(text = ''): string | undefined {
  if (!text.startsWith('{')) return text || undefined
  try {
    const { password } = JSON.parse(text) as { password?: unknown }
    return typeof password === 'string' && password !== '' ? password : undefined
  } catch {
    // A password that happens to begin with a brace.
    return text
  }
}
