/** The secret behind the keys of the local KMS: a file that only its owner can read. */
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

const secretBytes = 32
const ownerOnly = 0o600

/**
 * Reads the secret, or makes one when there is no file yet. Without a path it is kept in memory only. Rejects with a
 * one-line message for the operator when the file is damaged.
 */
export async function readKeyFile(path: string | undefined): Promise<Buffer> {
  if (path === undefined) return randomBytes(secretBytes)
  return (await create(path)) ?? (await read(path))
}

/** Undefined when the file exists. Written to disk before it is used: what it seals is lost without it. */
async function create(path: string): Promise<Buffer | undefined> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'wx', ownerOnly).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return undefined
    throw error
  })
  if (!file) return undefined
  try {
    const secret = randomBytes(secretBytes)
    await file.writeFile(`${secret.toString('base64url')}\n`)
    await file.sync()
    return secret
  } finally {
    await file.close()
  }
}

async function read(path: string): Promise<Buffer> {
  const secret = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url')
  if (secret.length !== secretBytes)
    throw new Error(
      `The key file ${path} is damaged: restore it from a backup, or remove it and enter the secrets anew.`,
    )
  // A copy or an editor may have widened its mode.
  await chmod(path, ownerOnly)
  return secret
}
