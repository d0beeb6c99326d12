/** What the tests of all modules share. */
package io.parterre.testing;
