export { changeSource, createSource, inboundSources } from './administer-sources.ts'
export { receiveRequest } from './receive-request.ts'
