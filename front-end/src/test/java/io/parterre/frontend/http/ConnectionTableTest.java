package io.parterre.frontend.http;

import static io.parterre.frontend.http.ConnectionAdmission.Decision.ADDRESS_FULL;
import static io.parterre.frontend.http.ConnectionAdmission.Decision.FULL;
import static io.parterre.frontend.http.ConnectionAdmission.Decision.REPLACE;
import static io.parterre.frontend.http.ConnectionAdmission.Decision.STAY;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.http.ConnectionTable.Seat;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConnectionTableTest {
    private final ConnectionTable<AtomicLong> table =
            new ConnectionTable<>(new ConnectionAdmission(4, 0), AtomicLong::get);

    private static AtomicLong idleSince(long nanos) {
        return new AtomicLong(nanos);
    }

    private AtomicLong seated(String address, long idleSince) {
        AtomicLong connection = idleSince(idleSince);
        assertThat(table.seat(address, connection).decision()).isEqualTo(STAY);
        return connection;
    }

    @ParameterizedTest
    @CsvSource({
        // connections, addresses, of the newcomer, of the busiest
        "9, 1, 9, 9, STAY",
        "10, 1, 10, 10, FULL",
        "10, 2, 0, 10, REPLACE",
        "10, 2, 4, 6, REPLACE",
        "10, 2, 5, 5, FULL",
        "10, 3, 4, 5, FULL",
        "10, 10, 0, 2, REPLACE",
        "10, 11, 0, 1, FULL"
    })
    void decisionGoesByEvenShareOfConnections(
            int connections,
            int addresses,
            int own,
            int busiest,
            ConnectionAdmission.Decision decision) {
        assertThat(new ConnectionAdmission(10, 0).decide(connections, addresses, own, busiest))
                .isEqualTo(decision);
    }

    @Test
    void addressIsHeldToItsMaximum_whenOneIsSet() {
        ConnectionAdmission capped = new ConnectionAdmission(10, 3);
        assertThat(capped.decide(2, 1, 2, 2)).isEqualTo(STAY);
        assertThat(capped.decide(3, 1, 3, 3)).isEqualTo(ADDRESS_FULL);
        assertThat(capped.decide(3, 2, 0, 3)).isEqualTo(STAY);
    }

    @Test
    void longestIdleOfBusiestAddressMakesRoom() {
        seated("a", 30);
        AtomicLong oldest = seated("a", 10);
        seated("a", 20);
        seated("b", 1);
        Seat<AtomicLong> seat = table.seat("c", idleSince(40));
        assertThat(seat.decision()).isEqualTo(REPLACE);
        assertThat(seat.leaving()).containsSame(oldest);
        assertThat(table.size()).isEqualTo(4);
        // Told again when it has ended.
        table.leave("a", oldest);
        assertThat(table.size()).isEqualTo(4);
    }

    @Test
    void busyConnectionsAreNotReplaced() {
        for (int i = 0; i < 4; i++) {
            seated("a", ConnectionTable.BUSY);
        }
        assertThat(table.seat("b", idleSince(1)).decision()).isEqualTo(FULL);
        assertThat(table.size()).isEqualTo(4);
    }

    @Test
    void idleTimesAreCompared_whenTheClockWraps() {
        AtomicLong before = seated("a", Long.MAX_VALUE - 5);
        seated("a", Long.MIN_VALUE + 5);
        seated("a", Long.MIN_VALUE + 6);
        seated("a", Long.MIN_VALUE + 7);
        assertThat(table.seat("b", idleSince(1)).leaving()).containsSame(before);
    }

    @Test
    void addressesShareEvenly_whenBothWantEverything() {
        for (int i = 0; i < 4; i++) {
            seated("a", i);
        }
        assertThat(table.seat("b", idleSince(9)).decision()).isEqualTo(REPLACE);
        assertThat(table.seat("b", idleSince(9)).decision()).isEqualTo(REPLACE);
        assertThat(table.seat("b", idleSince(9)).decision()).isEqualTo(FULL);
        assertThat(table.seat("a", idleSince(9)).decision()).isEqualTo(FULL);
    }

    @Test
    void roomIsFree_afterConnectionLeft() {
        AtomicLong first = seated("a", 1);
        seated("a", 2);
        seated("b", 3);
        seated("b", 4);
        assertThat(table.seat("a", idleSince(5)).decision()).isEqualTo(FULL);
        table.leave("a", first);
        assertThat(table.seat("a", idleSince(5)).decision()).isEqualTo(STAY);
        table.leave("c", first);
        assertThat(table.size()).isEqualTo(4);
    }

    @Test
    void clientIsAddress_orHalfOfItWithIpv6() throws Exception {
        assertThat(ClientNetwork.of(InetAddress.getByName("10.0.0.1")))
                .isEqualTo(ClientNetwork.of(InetAddress.getByName("10.0.0.1")))
                .isNotEqualTo(ClientNetwork.of(InetAddress.getByName("10.0.0.2")));
        assertThat(ClientNetwork.of(InetAddress.getByName("2001:db8:0:1::1")))
                .isEqualTo(ClientNetwork.of(InetAddress.getByName("2001:db8:0:1:ffff::2")))
                .isNotEqualTo(ClientNetwork.of(InetAddress.getByName("2001:db8:0:2::1")));
    }
}
