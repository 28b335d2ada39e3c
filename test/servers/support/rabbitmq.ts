import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChannelModel, connect } from 'amqplib'
import { freePort } from './free-port.ts'

/** What its package installs. The script beside it in the path may be run by root alone. */
const program = '/usr/lib/rabbitmq/bin/rabbitmq-server'
/** It takes 5 to 8 s; a busy machine gets more. */
const startTimeoutMs = 60_000
const stopTimeoutMs = 20_000

export interface RabbitMq {
  readonly port: number
  readonly tlsPort: number
  /** The certificate of its TLS listener, which is for `localhost`. */
  readonly certificate: string
  /** The address that a user logs in to. `guest` may do everything; `reader` may not write. */
  url(login?: string, vhost?: string): string
  connect(): Promise<ChannelModel>
  start(): Promise<void>
  /** Ends the broker; its data stays. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Runs the broker's own command. */
  control(...args: readonly string[]): void
  remove(): Promise<void>
}

/** Prepares a broker with ports, data and log of its own, all on this machine. */
export async function prepareRabbitMq(): Promise<RabbitMq> {
  const folder = mkdtempSync(join(tmpdir(), 'rabbitmq-'))
  const [port, tlsPort, distributionPort, namesPort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ])
  const certificate = makeCertificate(folder)
  writeFileSync(join(folder, 'definitions.json'), JSON.stringify(definitions()))
  writeFileSync(
    join(folder, 'rabbitmq.conf'),
    [
      `listeners.tcp.local = 127.0.0.1:${port}`,
      `listeners.ssl.local = 127.0.0.1:${tlsPort}`,
      `ssl_options.certfile = ${folder}/cert.pem`,
      `ssl_options.keyfile = ${folder}/key.pem`,
      `load_definitions = ${folder}/definitions.json`,
      'log.file.level = info',
      '',
    ].join('\n'),
  )
  writeFileSync(join(folder, 'enabled_plugins'), '[].\n')
  mkdirSync(join(folder, 'home'))
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: join(folder, 'home'),
    RABBITMQ_NODENAME: `rabbit-${port}@localhost`,
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'none.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_DIST_PORT: String(distributionPort),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: String(namesPort),
  }
  let broker: ChildProcess | undefined

  async function isReady(): Promise<boolean> {
    try {
      const model = await connect(url())
      await model.close()
      return true
    } catch {
      return false
    }
  }
  const url = (login = 'guest:guest', vhost = '%2f'): string => `amqp://${login}@localhost:${port}/${vhost}`

  const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> => {
    const running = broker
    broker = undefined
    if (running?.pid === undefined || running.exitCode !== null) return
    const ended = once(running, 'exit')
    process.kill(-running.pid, signal)
    await Promise.race([ended, sleep(stopTimeoutMs, undefined, { ref: false })])
    if (running.exitCode === null && running.signalCode === null) process.kill(-running.pid, 'SIGKILL')
  }

  return {
    port,
    tlsPort,
    certificate,
    url,
    connect: () => connect(url()),
    async start() {
      // A group of its own, so that the processes it starts end with it.
      const started = (broker = spawn(program, { env, cwd: folder, stdio: 'ignore', detached: true }))
      const from = performance.now()
      while (!(await isReady())) {
        if (started.exitCode !== null || performance.now() - from > startTimeoutMs) {
          await stop('SIGKILL')
          throw new Error(`RabbitMQ did not start; its log is in ${folder}/log`)
        }
        await sleep(100)
      }
    },
    stop,
    control: (...args) => void execFileSync('/usr/lib/rabbitmq/bin/rabbitmqctl', args, { env, stdio: 'ignore' }),
    async remove() {
      await stop()
      // The port mapper outlives the broker. It ends when no node is registered with it.
      execFileSync('/usr/bin/epmd', ['-kill'], { env, stdio: 'ignore' })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function makeCertificate(folder: string): string {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  execFileSync('openssl', [...request, ...subject, ...files], { stdio: 'ignore' })
  return readFileSync(join(folder, 'cert.pem'), 'utf8')
}

function definitions(): object {
  const user = (name: string, password: string) => ({
    name,
    password_hash: hashed(password),
    hashing_algorithm: 'rabbit_password_hashing_sha256',
    tags: [],
    limits: {},
  })
  const may = (name: string, vhost: string, write: string) => ({
    user: name,
    vhost,
    configure: '.*',
    write,
    read: '.*',
  })
  return {
    rabbit_version: '3.10.8',
    users: [user('guest', 'guest'), user('desk', 'p@ss/w%rd:1'), user('reader', 'reader')],
    vhosts: [{ name: '/' }, { name: 'acme/it' }],
    permissions: [
      may('guest', '/', '.*'),
      may('guest', 'acme/it', '.*'),
      may('desk', 'acme/it', '.*'),
      may('reader', '/', '^$'),
    ],
    queues: [],
    exchanges: [],
    bindings: [],
  }
}

/** As the broker stores passwords: a salt, and the hash of salt and password. */
function hashed(password: string): string {
  const salt = randomBytes(4)
  const hash = createHash('sha256').update(Buffer.concat([salt, Buffer.from(password)]))
  return Buffer.concat([salt, hash.digest()]).toString('base64')
}
