package io.parterre.frontend.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Event loop threads and the kind of socket that they serve: epoll where it loads, NIO elsewhere.
 * The caller that starts them stops them, after everything that has connections on them.
 * Thread-safe.
 */
public record EventLoops(EventLoopGroup group, Class<? extends ServerChannel> serverChannel)
        implements AutoCloseable {
    /** Set by each loop's own thread when it starts. */
    private static final FastThreadLocal<Home> CURRENT = new FastThreadLocal<>();

    /** Starts this number of threads. */
    public static EventLoops start(String name, int threads) {
        DefaultThreadFactory factory = new DefaultThreadFactory(name);
        EventLoops loops =
                Epoll.isAvailable()
                        ? new EventLoops(
                                new MultiThreadIoEventLoopGroup(
                                        threads, factory, EpollIoHandler.newFactory()),
                                EpollServerSocketChannel.class)
                        : new EventLoops(
                                new MultiThreadIoEventLoopGroup(
                                        threads, factory, NioIoHandler.newFactory()),
                                NioServerSocketChannel.class);
        loops.group()
                .forEach(loop -> loop.execute(() -> CURRENT.set(new Home((IoEventLoop) loop))));
        return loops;
    }

    /**
     * Returns the executor on which the current thread's work continues. On an event loop this is
     * the loop, so that a task handed to it runs after the tasks already begun. On any other thread
     * it is the thread itself, which runs the task at once.
     */
    public static Executor current() {
        Executor loop = CURRENT.get();
        return loop == null ? Runnable::run : loop;
    }

    /**
     * Returns the event loop that calls, for connections that are to belong to it; empty on any
     * other thread.
     */
    public static Optional<IoEventLoop> currentLoop() {
        return Optional.ofNullable(CURRENT.get()).map(Home::loop);
    }

    /**
     * An event loop as an executor. After the loop has stopped, the thread that submits a task runs
     * it.
     */
    private record Home(IoEventLoop loop) implements Executor {
        @Override
        public void execute(Runnable task) {
            try {
                loop.execute(task);
            } catch (RejectedExecutionException stopped) {
                task.run();
            }
        }
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
