export { changeSource, createSource, findSource, listSources, removeSource } from './administer-sources.ts'
export { receiveRequest } from './receive-request.ts'
export { describeSource } from './source.ts'
