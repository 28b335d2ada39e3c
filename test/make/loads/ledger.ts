/** Clients that write to one table, and remember the answers: what must be stored is known at any time. */

export type Api = (
  method: string,
  path: string,
  body?: unknown,
  key?: string,
) => Promise<{ readonly status: number; readonly body: any }>

interface TrackedRecord {
  readonly id: number
  readonly writer: number
  title: string
  version: number
  isGone: boolean
}

/** A request; `recordAnswer` updates the ledger with its answer. */
interface Request {
  readonly kind: 'create' | 'update' | 'delete' | 'import'
  readonly send: () => ReturnType<Api>
  readonly recordAnswer: (answer: Awaited<ReturnType<Api>>) => void
}

export type Ledger = ReturnType<typeof openLedger>

/** Each writer changes its own records only, one request after the other, so that the outcome is known. */
export function openLedger(api: Api, model: string, writers: number, seed: number) {
  const lives = new Map<number, TrackedRecord>()
  let touched = new Set<number>()
  let unanswered: Request[] = []
  let count = 0
  let answers = 0
  let state = seed

  function random(below: number): number {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  function recordCreated(id: number, writer: number, title: string): void {
    lives.set(id, { id, writer, title, version: 1, isGone: false })
    touched.add(id)
  }
  const newTitle = (): string => `job w${++count}x`
  const fail = (kind: string, answer: unknown): never => {
    throw new Error(`${kind}: ${JSON.stringify(answer).slice(0, 500)}`)
  }

  function create(writer: number): Request {
    const title = newTitle()
    const key = `key-${count}`
    return {
      kind: 'create',
      send: () => api('POST', `/api/e/${model}`, { title, code: key, writer }, key),
      recordAnswer: (answer) =>
        answer.status === 201 ? recordCreated(answer.body.data.id, writer, title) : fail('create', answer),
    }
  }

  function importRows(writer: number): Request {
    const rows = Array.from({ length: 10 }, () => ({ title: newTitle(), code: `key-${count}`, writer }))
    const key = `import-${count}`
    return {
      kind: 'import',
      send: () => api('POST', `/api/e/${model}/import`, { rows }, key),
      recordAnswer(answer) {
        if (answer.status !== 200 || answer.body.data.failed > 0) fail('import', answer)
        answer.body.data.ids.forEach((id: number, row: number) => recordCreated(id, writer, rows[row]!.title))
      },
    }
  }

  function update(life: TrackedRecord): Request {
    const title = newTitle()
    return {
      kind: 'update',
      send: () => api('PATCH', `/api/e/${model}/${life.id}`, { title }),
      recordAnswer(answer) {
        if (answer.status !== 200) fail('update', answer)
        Object.assign(life, { title, version: life.version + 1 })
        touched.add(life.id)
      },
    }
  }

  function remove(life: TrackedRecord): Request {
    return {
      kind: 'delete',
      send: () => api('DELETE', `/api/e/${model}/${life.id}`),
      recordAnswer(answer) {
        // 404 when the delete succeeded and only its answer was lost.
        if (answer.status !== 204 && answer.status !== 404) fail('delete', answer)
        Object.assign(life, { isGone: true, version: life.version + 1 })
        touched.add(life.id)
      },
    }
  }

  function next(writer: number): Request {
    const own = [...lives.values()].filter((life) => life.writer === writer && !life.isGone)
    const life = own[random(own.length)]
    const dice = random(100)
    if (dice < 8) return importRows(writer)
    if (!life || dice < 50) return create(writer)
    return dice < 85 ? update(life) : remove(life)
  }

  async function write(writer: number): Promise<void> {
    for (;;) {
      const request = next(writer)
      const answer = await request.send().catch(() => undefined)
      // Interrupted: the answer to its repeat tells whether it was done.
      if (!answer || answer.status >= 500) return void unanswered.push(request)
      request.recordAnswer(answer)
      answers += 1
    }
  }

  return {
    /** Writes until the service stops answering. */
    async work(): Promise<void> {
      touched = new Set()
      unanswered = []
      await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
    },
    openCreates: (): number => unanswered.filter(({ kind }) => kind === 'create').length,
    /** Repeats unanswered requests; answers the records that were written since `work` was called. */
    async repeatUnanswered(): Promise<readonly TrackedRecord[]> {
      for (const request of unanswered) request.recordAnswer(await request.send())
      return [...touched].map((id) => lives.get(id) as TrackedRecord)
    },
    living: () =>
      new Map(
        [...lives.values()].filter(({ isGone }) => !isGone).map(({ id, title, version }) => [id, { title, version }]),
      ),
    livingOf: (writer: number): number =>
      [...lives.values()].filter((life) => life.writer === writer && !life.isGone).length,
    answered: () => answers,
    between: (from: number, to: number): number => from + random(to - from),
  }
}
