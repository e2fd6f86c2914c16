import { describe, expect, it } from 'vitest'
import { proxyFor } from '../../../src-main/web/proxy.ts'

const proxy = 'http://proxy.test:3128'

describe('proxyFor', () => {
  it.each([
    ['api.example.com', {}, null],
    ['api.example.com', { HTTPS_PROXY: proxy }, 'proxy.test:3128'],
    ['api.example.com', { https_proxy: 'proxy.test:3128' }, 'proxy.test:3128'],
    ['api.example.com', { https_proxy: 'http://lower.test:1', HTTPS_PROXY: proxy }, 'lower.test:1'],
    ['api.example.com', { HTTP_PROXY: proxy }, null],
    ['api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: '*' }, null],
    ['api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: 'a.test, example.com' }, null],
    ['api.example.com', { HTTPS_PROXY: proxy, no_proxy: '.example.com' }, null],
    ['API.Example.com.', { HTTPS_PROXY: proxy, NO_PROXY: '*.example.com' }, null],
    ['api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: 'ample.com' }, 'proxy.test:3128'],
    ['api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: 'example.com:443' }, null],
    ['api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: 'example.com:8443' }, 'proxy.test:3128'],
    ['10.1.2.3', { HTTPS_PROXY: proxy, NO_PROXY: '10.1.2.3' }, null],
    ['2001:db8::1', { HTTPS_PROXY: proxy, NO_PROXY: '2001:db8::1' }, null],
    ['2001:db8::1', { HTTPS_PROXY: proxy, NO_PROXY: '[2001:db8::1]:443' }, null],
    ['2001:db8::1', { HTTPS_PROXY: proxy, NO_PROXY: '[2001:db8::1]:444' }, 'proxy.test:3128'],
    ['localhost', { HTTPS_PROXY: proxy }, null],
    ['127.0.0.1', { HTTPS_PROXY: proxy }, null],
    ['::1', { HTTPS_PROXY: proxy }, null],
    ['127.example.com', { HTTPS_PROXY: proxy }, 'proxy.test:3128'],
  ])('%s with %o: %s', (hostname, env, host) => {
    expect(proxyFor(true, hostname, 443, env)?.host ?? null).toBe(host)
  })

  it('reads HTTP_PROXY for what is not secure', () => {
    expect(proxyFor(false, 'api.example.com', 80, { HTTP_PROXY: proxy })?.host).toBe('proxy.test:3128')
  })
})
