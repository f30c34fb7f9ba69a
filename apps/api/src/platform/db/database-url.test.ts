import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connectionOptions, socketUrl, withDatabase } from './database-url.ts';

describe('connectionOptions', () => {
  it('finds the socket of the embedded server, with any password and path', () => {
    const url = socketUrl({
      directory: '/data dir/run,1:2',
      user: 'desk',
      password: 'p@ss/w%rd?&',
      database: 'desk',
    });
    const options = connectionOptions(url);
    assert.equal(options.path, '/data dir/run,1:2/.s.PGSQL.5432');
    assert.equal(options.username, 'desk');
    assert.equal(options.password, 'p@ss/w%rd?&');
    assert.equal(options.database, 'desk');
    assert.equal(options.ssl, false);
  });

  it('reads a TCP address with its port, encryption and parameters', () => {
    const options = connectionOptions(
      'postgres://a%40b:c@[::1]:6000/my%20db?sslmode=require&options=-c%20x%3D1&connect_timeout=3',
    );
    assert.equal(options.host, '::1');
    assert.equal(options.port, 6000);
    assert.equal(options.path, undefined);
    assert.equal(options.username, 'a@b');
    assert.equal(options.database, 'my db');
    assert.equal(options.ssl, 'require');
    assert.equal(options.connect_timeout, 3);
    assert.deepEqual(options.connection, { application_name: 'cambist', options: '-c x=1' });
  });

  it('has libpq’s defaults', () => {
    const options = connectionOptions('postgresql:///desk');
    assert.equal(options.host, 'localhost');
    assert.equal(options.port, 5432);
    assert.equal(options.ssl, 'prefer');
  });

  it('checks the server’s name whenever it checks a certificate', () => {
    assert.equal(connectionOptions('postgres://h/d?sslmode=verify-ca').ssl, 'verify-full');
    assert.equal(connectionOptions('postgres://h/d?sslmode=disable').ssl, false);
  });

  it('refuses other protocols', () => {
    assert.throws(() => connectionOptions('mysql://h/d'), TypeError);
    assert.throws(() => connectionOptions('nonsense'), TypeError);
  });
});

describe('withDatabase', () => {
  it('changes the database and nothing else', () => {
    const url = 'postgresql://u:p%40@localhost/one?host=%2Frun';
    assert.equal(withDatabase(url, 'two'), 'postgresql://u:p%40@localhost/two?host=%2Frun');
  });
});
