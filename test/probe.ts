import { startService } from './make/service.ts'
const s = await startService()
console.log(await s.api('GET','/api/user',{token:s.admin.token}))
console.log((await s.api('POST','/api/login-local',{body:{email:'Grace@acme.test',password:'nanoseconds of wire'}})).body)
console.log((await s.api('POST','/api/login-local',{body:{email:'Grace@acme.test',password:'x'}})).body)
await s.stop()
