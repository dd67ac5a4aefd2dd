import { neighbourhoodOf } from './neighbourhood';

describe('the neighbourhood of an address', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['::FFFF:0a01:0203', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:2::', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['2001:db8::1.2.3.4', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1:2:3:4%eth0', 'fe80:0:0:0'],
  ])('%s lives in %s', (address, neighbourhood) => expect(neighbourhoodOf(address)).toBe(neighbourhood));

  test.each([
    ['5.6.7.8:1000', '5.6.7.8'],
    ['[2001:db8::6]:443', '2001:db8:0:0'],
    ['[2001:db8::6]', '2001:db8:0:0'],
    [' 5.6.7.8 ', '5.6.7.8'],
  ])('%s, as a proxy may write it, lives in %s', (address, neighbourhood) =>
    expect(neighbourhoodOf(address)).toBe(neighbourhood),
  );

  test.each([undefined, '', 'unknown', '_hidden', '5.6.7', '5.6.7.8:123456', '1:2', '[5'])(
    '%p is no address, and shares one place with all that are none',
    (address) => expect(neighbourhoodOf(address)).toBe(neighbourhoodOf('x')),
  );
});
