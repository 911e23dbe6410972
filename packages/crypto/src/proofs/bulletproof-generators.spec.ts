import { BulletproofGenerators } from './bulletproof-generators.ts';

// Published generators; those of Bulletproof are here because both kinds come from one rule.
describe('Bulletproof generators', () => {
  test.each([
    [
      'bulletproof' as const,
      {
        g0: '0b48be50e49cad13fb3e014f3fa7d68baca7c8a91083dc9c59b379aaab218f15',
        h0: '42ba668a007d0fcd6fea4009de8a6437248f2d445230af004a89fd04279bc297',
        h1: 'e5224ef871eeb87211511d2a5cb81eeaa160a8a5408eab5deaeb9d4558780947',
        g1023: '3cad276e891276e418343de6e037f51711779a4cf72c9979d641f2038c5d031f',
      },
    ],
    [
      'bulletproof_plus' as const,
      {
        g0: '38c5d4db53aeb86f5a80def9be4953f2288ed5a44c66af723f463d0170829010',
        h0: '48628df380a5016d25451aaa501731a11b72bf66dc41d81f719abd35ce92b0ed',
        h1: '110d2b61f8c7c10861c3e4ffe7774faba632af94854aa29538517aefe6a39e48',
        g1023: 'c844fd242df1f97224ec816f980096d005a5c78e6c1498f0fc57af4b08f5e7e8',
      },
    ],
  ])('%s', (domain, expected) => {
    const generators = new BulletproofGenerators(domain);
    const few = generators.take(2);
    const all = generators.take(1024);
    expect([few.g.length, few.h.length, all.g.length, all.h.length]).toEqual([2, 2, 1024, 1024]);
    expect(all.g[0]).toBe(few.g[0]);
    expect({
      g0: all.g[0]?.toHex(),
      h0: all.h[0]?.toHex(),
      h1: all.h[1]?.toHex(),
      g1023: all.g[1023]?.toHex(),
    }).toEqual(expected);
    expect(generators.take(2).g).toHaveLength(2);
    expect(() => generators.take(1025)).toThrow(RangeError);
  });
});
