package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service manager that listens as systemd does, and real processes. */
class ServiceNoticeIT {
    @TempDir private Path folder;

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private MultiThreadIoEventLoopGroup thread;

    @BeforeEach
    void start() {
        Assumptions.assumeTrue(Epoll.isAvailable(), "service managers of this kind are Linux's");
        thread = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    }

    @AfterEach
    void stop() {
        thread.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private Channel listen(String path) {
        return new Bootstrap()
                .group(thread)
                .channel(EpollDomainDatagramChannel.class)
                .handler(
                        new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                            @Override
                            protected void channelRead0(
                                    ChannelHandlerContext context, DomainDatagramPacket packet) {
                                told.add(packet.content().toString(StandardCharsets.UTF_8));
                            }
                        })
                .bind(new DomainSocketAddress(path))
                .syncUninterruptibly()
                .channel();
    }

    private String next() throws InterruptedException {
        return told.poll(1, TimeUnit.MINUTES);
    }

    @Test
    void serviceManagerHearsOfReadinessAndStop() throws Exception {
        // Paths of such sockets have some hundred bytes, fewer than a test's folder may have.
        Path socket = Files.createTempDirectory("notice").resolve("socket");
        listen(socket.toString());
        try (ParterreProcess process =
                ParterreProcess.start(
                        folder,
                        Map.of("NOTIFY_SOCKET", socket.toString()),
                        ParterreProcess.embeddedArguments())) {
            process.awaitReady();
            assertThat(next()).isEqualTo("READY=1\nSTATUS=serves");
            assertThat(process.terminate().awaitExit()).isZero();
            assertThat(next()).isEqualTo("STOPPING=1\nSTATUS=stops");
        } finally {
            Files.deleteIfExists(socket);
            Files.deleteIfExists(socket.getParent());
        }
    }

    @Test
    void serviceManagerHearsWhatIsMissing_untilARoleServes() throws Exception {
        String name = "parterre-notice-" + ProcessHandle.current().pid();
        listen("\0" + name);
        ServiceNotice.of(Map.of("NOTIFY_SOCKET", "@" + name)).waiting("a manager\nor two");
        assertThat(next()).isEqualTo("STATUS=does not serve yet: a manager or two");
    }

    @Test
    void startGoesOn_whenServiceManagerDoesNotListen() {
        ServiceNotice notice =
                ServiceNotice.of(Map.of("NOTIFY_SOCKET", folder.resolve("none").toString()));
        notice.ready();
        ServiceNotice.of(Map.of()).waiting("anything");
        assertThat(told).isEmpty();
    }
}
