import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Clock } from '../../kernel/time/clock.ts'

const derive = promisify(argon2)

/** Argon2id as OWASP's Password Storage Cheat Sheet recommends: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32

/** Verified when there is no account, so that the time of an answer does not reveal whether an account exists. */
const nobody = { ...cost, salt: Buffer.alloc(saltBytes), tag: Buffer.alloc(tagBytes) }

interface Phc {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Buffer
  readonly tag: Buffer
}

/** Hashes a password with argon2id. Answers a PHC string, which contains salt and cost. */
export async function hashPassword(clock: Pick<Clock, 'bytes'>, password: string): Promise<string> {
  const salt = clock.bytes(saltBytes)
  const tag = await tagOf(password, { ...cost, salt, tag: Buffer.alloc(tagBytes) })
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

/** Whether the password has this hash. Without a hash the answer is false, after the same time. */
export async function verifyPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const expected = hash === undefined || hash === null ? undefined : parsePhc(hash)
  const { tag } = expected ?? nobody
  const same = timingSafeEqual(await tagOf(password, expected ?? nobody), tag)
  return same && expected !== undefined
}

/** Normalized to NFKC (NIST SP 800-63B §3.1.1.2), because keyboards compose the same letter differently. */
const tagOf = (password: string, { memory, passes, parallelism, salt, tag }: Phc): Promise<Buffer> =>
  derive('argon2id', {
    message: Buffer.from(password.normalize('NFKC')),
    nonce: salt,
    memory,
    passes,
    parallelism,
    tagLength: tag.length,
  }) as Promise<Buffer>

function parsePhc(text: string): Phc {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(text)
  if (!match) throw new Error('a stored password hash is not an argon2id PHC string')
  const [, memory, passes, parallelism, salt, tag] = match
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt as string, 'base64'),
    tag: Buffer.from(tag as string, 'base64'),
  }
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
