import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A setup file of tests that run the assembled service. It waits outside of their hooks, whose time is limited. */
const file = process.env.ASSEMBLED
while (file !== undefined && !existsSync(file)) await sleep(50)
const reason = file === undefined ? '' : readFileSync(file, 'utf8')
if (reason !== '') throw new Error(reason)
