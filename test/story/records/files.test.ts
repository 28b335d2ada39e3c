import { S3Client, HeadObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deploymentWide } from '../../../shared/platform/store/store.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { announce, sample, send, upload } from '../../make/builders/records/uploads.ts'
import { functionNamed } from '../../make/services/function-named.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let now = Date.now
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const open = (path: string, token?: string) =>
  api('GET', `/api/files?path=${encodeURIComponent(path)}`, undefined, token)
const create = async (data: object) => (await api('POST', '/api/e/reports', data)).body.data.id as number
const patch = (id: number, data: object) => api('PATCH', `/api/e/reports/${id}`, data)
const hour = 3_600_000
const day = 24 * hour

beforeAll(async () => {
  service = await startService({
    log: () => {},
    now: () => now(),
  })
  await makeTable(service, 'reports', [
    { name: 'title', type: 'text' },
    { name: 'photos', type: 'file', multiple: true },
    { name: 'document', type: 'file' },
    { name: 'cover', type: 'image' },
  ])
})
afterAll(() => service?.stop())

async function exists(path: string): Promise<boolean> {
  const s3 = new S3Client(service.cloud.clientOptions('s3'))
  const bucket = new URL((await announce(service)).upload.url).pathname.split('/')[1] as string
  return s3.send(new HeadObjectCommand({ Bucket: bucket, Key: path })).then(
    () => true,
    () => false,
  )
}

/** Makes a file, or the release row of a write, due for the sweeper now. */
async function makeDue(pk: string, sk: string): Promise<void> {
  await service.store.write(
    { id: 1 },
    { update: { pk, sk }, change: { expression: 'SET s20 = :past', values: { ':past': '2000-01-01#' } } },
  )
}
const rowOf = (path: string) => ({ pk: `T#1#F#${path.split('/')[2]}`, sk: 'FILE' })
const file = async (path: string) =>
  (await service.store.query({ id: 1 }, { pk: rowOf(path).pk, prefix: 'FILE' })).items[0]
const claims = async (path: string) =>
  (await service.store.query({ id: 1 }, { pk: rowOf(path).pk, prefix: 'CLAIM#' })).items.length
const sweep = () => service.cloud.invoke('file-sweeper') as Promise<{ released: number; removed: number }>
/** Runs both passes of the sweeper over a due file. */
async function sweepAway(path: string): Promise<void> {
  for (let pass = 0; pass < 2; pass += 1) {
    await makeDue(rowOf(path).pk, 'FILE')
    await sweep()
  }
}

describe('uploading', () => {
  it('answers an unguessable path of the tenant and a URL that accepts the bytes without a token', async () => {
    const { status, body } = await api('POST', '/api/files', {
      name: 'Büro/../Plan 7.png',
      content_type: 'image/png',
      size: sample.png.length,
    })
    expect(status).toBe(201)
    expect(body.data.path).toMatch(/^files\/1\/[\w-]{24}\/Büro_.._Plan 7\.png$/)
    expect(body.data.upload).toMatchObject({
      method: 'PUT',
      headers: { 'content-type': 'image/png', 'if-none-match': '*' },
    })
    expect(body.data.upload.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
    expect(body.data.upload.url).not.toMatch(/checksum/i)
    expect(Date.parse(body.data.upload.expires_at)).toBeGreaterThan(Date.now() + 10 * 60_000)
    expect((await send(body.data)).status).toBe(200)
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ size: 0 }, 'size'],
    [{ size: 100 * 1024 * 1024 + 1 }, 'size'],
    [{ content_type: 'picture' }, 'content_type'],
    [{ path: 'files/1/mine' }, 'path'],
  ])('refuses %j', async (wrong, field) => {
    const { status, body } = await api('POST', '/api/files', {
      name: 'a.png',
      content_type: 'image/png',
      size: 10,
      ...wrong,
    })
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  it('accepts exactly the announced file, once, until the URL expires', async () => {
    const announced = await announce(service)
    const wrongType = {
      ...announced,
      upload: { ...announced.upload, headers: { ...announced.upload.headers, 'content-type': 'text/html' } },
    }
    expect((await send(wrongType)).status).toBe(403)
    expect((await send(announced, Buffer.concat([sample.png, sample.png]))).status).toBe(403)
    expect(
      (
        await fetch(announced.upload.url.replace(/photo/, 'other'), {
          ...announced.upload,
          body: new Uint8Array(sample.png),
        })
      ).status,
    ).toBe(403)
    expect((await send(announced)).status).toBe(200)
    expect((await send(announced)).status).toBe(412)
    const late = await announce(service)
    now = () => Date.now() + hour
    expect((await send(late)).status).toBe(403)
    now = Date.now
  })

  it('accepts 100 MB', async () => {
    const content = Buffer.alloc(100 * 1024 * 1024, 'x')
    const path = await upload(service, { name: 'large.txt', type: 'text/plain', content })
    const id = await create({ document: path })
    const { url, size } = (await open(path)).body.data
    expect([size, (await (await fetch(url)).arrayBuffer()).byteLength]).toEqual([content.length, content.length])
    await api('DELETE', `/api/e/reports/${id}`)
  })

  it('works in a browser wherever the web app is served: the signed address is the permission', async () => {
    const { upload: to } = await announce(service)
    const ask = (method: string) =>
      fetch(to.url, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example.com',
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type,if-none-match',
        },
      })
    const allowed = await ask('PUT')
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://app.example.com',
    ])
    expect((await ask('DELETE')).status).toBe(403)
  })
})

describe('a record with files', () => {
  it('stores the paths of uploaded files and claims the files', async () => {
    const [one, two, cover] = [await upload(service), await upload(service), await upload(service)]
    const { status, body } = await api('POST', '/api/e/reports', { photos: [one, two], cover })
    expect([status, body.data.data]).toEqual([201, { photos: [one, two], cover }])
    expect([await claims(one), await claims(cover)]).toEqual([1, 1])
  })

  it('is refused with paths that are invented, not uploaded, or of another tenant', async () => {
    const { token } = await otherTenant(service)
    const announced = (await announce(service)).path
    const theirs = await upload(service, { token })
    const renamed = (await upload(service)).replace('photo', 'other')
    for (const path of ['a/1.pdf', announced, theirs, renamed, theirs.replace('/2/', '/1/')]) {
      const { status, body } = await api('POST', '/api/e/reports', { document: path })
      expect([path, status, body.errors]).toEqual([
        path,
        422,
        { document: [`The selected document is invalid: no file ${path} was uploaded.`] },
      ])
    }
    const id = await create({ title: 'x' })
    expect((await patch(id, { photos: [await upload(service), announced] })).body.errors).toHaveProperty('photos')
    expect((await api('GET', `/api/e/reports/${id}`)).body.data.version).toBe(1)
  })

  it('claims its files when it is imported, too', async () => {
    const path = await upload(service)
    const { body } = await api('POST', '/api/e/reports/import', {
      rows: [{ document: path }, { document: 'made/up.pdf' }],
    })
    expect(body.data).toMatchObject({
      created: 1,
      failed: 1,
      errors: [{ row: 1, errors: { document: [expect.stringContaining('no file made/up.pdf')] } }],
    })
    expect(await claims(path)).toBe(1)
  })

  it('is refused when the content of a file does not match its type', async () => {
    const fake = await upload(service, {
      name: 'photo.png',
      type: 'image/png',
      content: Buffer.from('MZ this program cannot be run'),
    })
    expect((await api('POST', '/api/e/reports', { photos: [fake] })).body.errors).toEqual({
      photos: ['The selected photos is invalid: the content of photo.png is not image/png.'],
    })
    expect((await open(fake)).status).toBe(422)
  })

  it('accepts only images in an image field, and SVG is none', async () => {
    const pdf = await upload(service, { name: 'a.pdf', type: 'application/pdf', content: sample.pdf })
    const svg = await upload(service, {
      name: 'a.svg',
      type: 'image/svg+xml',
      content: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    })
    for (const cover of [pdf, svg])
      expect((await api('POST', '/api/e/reports', { cover })).body.errors).toEqual({
        cover: ['The cover must be an image.'],
      })
    const id = await create({ document: pdf })
    expect((await patch(id, { cover: pdf })).status).toBe(422)
  })

  it('accepts at most fifty new files in one write', async () => {
    const paths = await Promise.all(Array.from({ length: 51 }, () => upload(service)))
    const { status, body } = await api('POST', '/api/e/reports', { photos: paths.slice(0, 50) })
    expect(status).toBe(201)
    expect(
      (await api('POST', '/api/e/reports', { photos: paths.slice(0, 50), document: paths[50] })).body.errors,
    ).toEqual({
      photos: ['At most 50 files may be added at once.'],
    })
    expect((await patch(body.data.id, { document: paths[50] })).status).toBe(200)
    expect((await api('DELETE', `/api/e/reports/${body.data.id}`)).status).toBe(204)
    expect(await Promise.all(paths.map(claims))).toEqual(paths.map(() => 0))
  })
})

describe('downloading', () => {
  it('serves the file as an attachment under its name, and never as a type that a browser runs', async () => {
    const content = Buffer.from('<script>alert(1)</script>')
    const path = await upload(service, { name: 'ä "q".html', type: 'text/html', content })
    const { status, body } = await open(path)
    expect([status, body.data]).toMatchObject([
      200,
      { name: 'ä _q_.html', content_type: 'text/html', size: content.length },
    ])
    const answer = await fetch(body.data.url)
    expect(await answer.text()).toBe(content.toString())
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="a _q_.html"; filename*=UTF-8''%C3%A4%20_q_.html`,
    )
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    now = () => Date.now() + hour
    expect((await fetch(body.data.url)).status).toBe(403)
    now = Date.now
  })

  it('is allowed to the uploader, and to readers of a record that holds the file; others get 404', async () => {
    const [uploader, reader, stranger] = [
      await userWith(service, []),
      await userWith(service, ['reports.read']),
      await userWith(service, ['sys_companies.read']),
    ]
    const path = await upload(service, { token: uploader.token })
    const statuses = async () => [
      (await open(path, uploader.token)).status,
      (await open(path, reader.token)).status,
      (await open(path, stranger.token)).status,
    ]
    expect(await statuses()).toEqual([200, 404, 404])
    const id = await create({ photos: [path] })
    expect(await statuses()).toEqual([200, 200, 404])
    expect((await open(path, (await otherTenant(service)).token)).status).toBe(404)
    await patch(id, { photos: null })
    expect(await statuses()).toEqual([404, 404, 404])
  })

  it.each(['files/1/AAAAAAAAAAAAAAAAAAAAAAAA/x.png', 'history/1/x', 'x', '../files/1/a/b'])(
    'answers 404 for %s',
    async (path) => expect((await open(path)).status).toBe(404),
  )

  it('answers 404 for a file that was announced but not uploaded', async () =>
    expect((await open((await announce(service)).path)).status).toBe(404))
})

describe('a file that loses its last claim', () => {
  it.each([
    ['set to null', () => ({ photos: null })],
    ['replaced', async () => ({ photos: [await upload(service)] })],
    ['shrunk', () => ({ photos: [] })],
  ])('is released when the field is %s', async (_, change) => {
    const path = await upload(service)
    const id = await create({ photos: [path] })
    expect((await patch(id, await change())).status).toBe(200)
    expect([await claims(path), (await open(path)).status]).toEqual([0, 404])
  })

  it('is released when the record is deleted', async () => {
    const path = await upload(service)
    const id = await create({ photos: [path], cover: path })
    await api('DELETE', `/api/e/reports/${id}`)
    expect([await claims(path), (await open(path)).status]).toEqual([0, 404])
  })

  it('is not released while another field or record holds it', async () => {
    const path = await upload(service)
    const [one, two] = [await create({ photos: [path], cover: path }), await create({ document: path })]
    await patch(one, { cover: null })
    await api('DELETE', `/api/e/reports/${two}`)
    expect([await claims(path), (await open(path)).status]).toEqual([1, 200])
    await patch(one, { photos: null })
    expect((await open(path)).status).toBe(404)
  })

  it('is kept for thirty days, in which a record may claim it again', async () => {
    const path = await upload(service)
    const id = await create({ document: path })
    await patch(id, { document: null })
    const released = await file(path)
    const due = Date.parse(String(released?.s20).split('#')[0] as string)
    expect(due - Date.now()).toBeGreaterThan(29.9 * day)
    expect(due - Date.now()).toBeLessThan(30.1 * day)
    expect(await sweep()).toEqual({ released: 0, removed: 0 })
    expect((await patch(id, { document: path })).status).toBe(200)
    await sweepAway(path).catch(() => {})
    expect([await exists(path), (await open(path)).status]).toEqual([true, 200])
  })

  it('is removed after that, row and object, and a restore leaves it out and names it', async () => {
    const [path, kept] = [await upload(service), await upload(service)]
    const id = await create({ document: path, photos: [kept, path] })
    const { created_at } = (await api('GET', `/api/e/reports/${id}`)).body.data
    await new Promise((resolve) => setTimeout(resolve, 3))
    await patch(id, { document: null, photos: [kept] })
    await makeDue(rowOf(path).pk, 'FILE')
    expect(await sweep()).toEqual({ released: 0, removed: 0 })
    expect((await patch(id, { document: path })).status).toBe(422)
    expect(await exists(path)).toBe(true)
    await makeDue(rowOf(path).pk, 'FILE')
    expect(await sweep()).toEqual({ released: 0, removed: 1 })
    expect([await exists(path), await file(path)]).toEqual([false, undefined])
    const { status, body } = await api('POST', `/api/e/reports/${id}/restore`, { as_of: created_at })
    expect([status, body.meta.missing_files, body.data.data]).toMatchObject([200, [path], { photos: [kept] }])
    expect(body.data.data.document ?? null).toBeNull()
  })
})

describe('a file that is never claimed', () => {
  it('is removed after a day', async () => {
    const [path, kept] = [await upload(service), await upload(service)]
    await create({ document: kept })
    const due = Date.parse(String((await file(path))?.s20).split('#')[0] as string)
    expect(Math.abs(due - Date.now() - day)).toBeLessThan(10 * 60_000)
    await sweepAway(path)
    await makeDue(rowOf(kept).pk, 'FILE')
    await sweep()
    expect([await exists(path), await exists(kept)]).toEqual([false, true])
    expect((await file(kept))?.s20).toBeUndefined()
  })

  it('is kept when a record claims it between the two passes of the sweeper', async () => {
    const path = await upload(service)
    const id = await create({ title: 'late' })
    await makeDue(rowOf(path).pk, 'FILE')
    // The write reads the file before the sweeper marks it, and is stored after that.
    let release = (): void => {}
    const functionName = functionNamed(service, 'Records')
    const delay = new Promise<void>((resolve) => (release = resolve))
    service.cloud.faults.inject({ functionName, operation: 'TransactWriteItems', action: { delay } })
    const writing = patch(id, { document: path })
    await expect.poll(async () => (await file(path))?.checked_at).toBeDefined()
    await sweep()
    release()
    expect((await writing).status).toBe(200)
    await makeDue(rowOf(path).pk, 'FILE')
    await sweep()
    expect([await exists(path), (await open(path)).status]).toEqual([true, 200])
  })
})

describe('a crash between save and clean-up', () => {
  it.each(['update', 'delete'] as const)('of an %s is repaired by the sweeper', async (kind) => {
    const path = await upload(service)
    const id = await create({ document: path })
    const functionName = functionNamed(service, 'Records')
    service.cloud.faults.inject({ functionName, operation: 'TransactWriteItems', action: 'crash-after' })
    expect(
      (await (kind === 'update' ? patch(id, { document: null }) : api('DELETE', `/api/e/reports/${id}`))).status,
    ).toBe(500)
    expect(await claims(path)).toBe(1)
    expect((await open(path, (await userWith(service, ['reports.read'])).token)).status).toBe(404)
    await releasesDue()
    expect(await sweep()).toMatchObject({ released: 1 })
    expect([await claims(path), (await open(path)).status, (await file(path))?.released_at]).toEqual([
      0,
      404,
      expect.any(String),
    ])
  })

  it('releases nothing from a record that holds the file again by then', async () => {
    const path = await upload(service)
    const id = await create({ document: path })
    const functionName = functionNamed(service, 'Records')
    service.cloud.faults.inject({ functionName, operation: 'TransactWriteItems', action: 'crash-after' })
    await patch(id, { document: null })
    expect((await patch(id, { document: path })).status).toBe(200)
    await releasesDue()
    await sweep()
    expect([await claims(path), (await open(path)).status]).toEqual([1, 200])
  })
})

/** Makes every release row due that a crash left behind. */
async function releasesDue(): Promise<void> {
  for (let shard = 0; shard < 4; shard += 1) {
    const { items } = await service.store.query(deploymentWide, { pk: `DUE#file#${shard}`, index: 'slot20' })
    for (const { pk, sk } of items) if (String(pk).includes('#FR#')) await makeDue(String(pk), String(sk))
  }
}
