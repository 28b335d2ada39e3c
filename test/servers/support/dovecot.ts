import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const program = '/usr/sbin/dovecot'
const startTimeoutMs = 30_000

export interface Dovecot {
  /** STARTTLS is offered here. */
  readonly port: number
  /** TLS from the start. */
  readonly tlsPort: number
  /** The file of its certificate, which is for `localhost`. */
  readonly certificate: string
  /** Puts a mail into the INBOX of a user; mails of one second are in the order of `n`. Answers its file. */
  put(user: string, mail: string | Buffer, options?: { readonly at?: Date; readonly folder?: string }): string
  /** Removes a mail by its file. */
  remove(file: string): void
  /** Gives every mail of a user a new UID, as a restored backup does. */
  renumber(user: string): void
  /** Flags of the mails of a user. */
  flags(user: string): readonly string[]
  start(): Promise<void>
  stop(): Promise<void>
  close(): Promise<void>
}

/** The password of every user. */
export const mailboxPassword = 'correct-horse-battery'

/** Runs Dovecot with ports and mailboxes of its own, all on this machine. `tokeninfo`: where it checks access tokens. */
export async function startDovecot({ tokeninfo }: { readonly tokeninfo?: string } = {}): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'dovecot-'))
  const [port, tlsPort] = await Promise.all([freePort(), freePort()])
  const certificate = join(folder, 'cert.pem')
  makeCertificate(folder)
  const isRoot = process.getuid?.() === 0
  // Root has no mailbox.
  const user = isRoot ? { uid: 65_534, gid: 65_534 } : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const give = (path: string): void => chownSync(path, user.uid, user.gid)
  const makeFolder = (path: string): void => {
    const made = mkdirSync(path, { recursive: true })
    for (let at = path; made !== undefined && at.length >= made.length; at = dirname(at)) give(at)
  }
  chmodSync(folder, 0o755)
  const owner = execFileSync('id', ['-un']).toString().trim()
  writeFileSync(
    join(folder, 'oauth.conf'),
    `tokeninfo_url = ${tokeninfo ?? ''}\nintrospection_mode = auth\nusername_attribute = email\nactive_attribute = active\nactive_value = true\n`,
  )
  writeFileSync(
    join(folder, 'dovecot.conf'),
    `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
default_internal_user = ${isRoot ? 'nobody' : owner}
default_login_user = ${isRoot ? 'nobody' : owner}
default_internal_group = ${isRoot ? 'nogroup' : execFileSync('id', ['-gn']).toString().trim()}
first_valid_uid = 1
ssl = yes
ssl_cert = <${certificate}
ssl_key = <${folder}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain${tokeninfo === undefined ? '' : ' xoauth2 oauthbearer'}
auth_failure_delay = 0
mail_location = maildir:${folder}/mail/%u
mail_max_userip_connections = 1000
passdb {
  driver = static
  args = password=${mailboxPassword}
}
${
  tokeninfo === undefined
    ? ''
    : `passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth.conf
}`
}
userdb {
  driver = static
  args = uid=${user.uid} gid=${user.gid} home=${folder}/home/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort}
  }
  service_count = 0
  process_limit = 20
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
`,
  )
  let server: ChildProcess | undefined
  let count = 0
  const inbox = (name: string, sub = 'new', under?: string): string =>
    join(folder, 'mail', name, ...(under === undefined ? [] : [`.${under}`]), sub)

  const dovecot: Dovecot = {
    port,
    tlsPort,
    certificate,
    put(name, mail, { at = new Date(), folder: under } = {}) {
      for (const sub of ['new', 'cur', 'tmp']) makeFolder(inbox(name, sub, under))
      const seconds = Math.floor(at.getTime() / 1000)
      const file = join(inbox(name, 'new', under), `${seconds}.M${String((count += 1)).padStart(6, '0')}.localhost`)
      writeFileSync(file, mail)
      utimesSync(file, seconds, seconds)
      give(file)
      return file
    },
    remove(file) {
      const name = file.slice(file.lastIndexOf('/') + 1)
      const root = file.slice(0, -name.length - '/new'.length)
      for (const sub of ['new', 'cur'])
        for (const found of readdirSync(join(root, sub))) if (found.startsWith(name)) rmSync(join(root, sub, found))
    },
    renumber(name) {
      const root = join(folder, 'mail', name)
      // Its format: the version, then V<uidvalidity>. Without the file, the server takes the time for it.
      for (const file of readdirSync(root)) if (file.startsWith('dovecot')) rmSync(join(root, file))
      const next = Math.floor(Date.now() / 1000) + (count += 1)
      writeFileSync(join(root, 'dovecot-uidlist'), `3 V${next} N1 G${randomBytes(16).toString('hex')}\n`)
      give(join(root, 'dovecot-uidlist'))
    },
    flags: (name) =>
      readdirSync(inbox(name, 'cur'))
        .map((file) => file.split(':2,')[1] ?? '')
        .filter((flags) => flags !== ''),
    async start() {
      const started = (server = spawn(program, ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'ignore' }))
      const from = performance.now()
      while (!(await answers(port))) {
        if (started.exitCode !== null || performance.now() - from > startTimeoutMs)
          throw new Error(`Dovecot did not start:\n${logOf(folder)}`)
        await sleep(20)
      }
    },
    async stop() {
      const running = server
      server = undefined
      if (!running || running.exitCode !== null) return
      const ended = once(running, 'exit')
      running.kill('SIGTERM')
      await ended
    },
    async close() {
      await dovecot.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await dovecot.start()
  return dovecot
}

const logOf = (folder: string): string => {
  try {
    return readFileSync(join(folder, 'log'), 'utf8')
  } catch {
    return 'it wrote no log'
  }
}

/** Whether the server greets. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.setTimeout(1_000, () => resolve(false))
    socket.once('close', () => resolve(false))
  }).then(async (is) => is as boolean)

function makeCertificate(folder: string): void {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  execFileSync('openssl', [...request, ...subject, ...files], { stdio: 'ignore' })
}
