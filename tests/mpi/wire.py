#!/usr/bin/env python3
"""A bad wire between two network interfaces: `wire.py ONE OTHER MILLISECONDS PERCENT`.

Forwards frames between the interfaces with a delay in milliseconds, and drops a share of them in per cent.
Replaces `tc netem` if the kernel lacks it.
"""

import heapq
import random
import select
import socket
import sys
import time

ETH_P_ALL = 3
PACKET_OUTGOING = 4
SOL_PACKET = 263
PACKET_ADD_MEMBERSHIP = 1
PACKET_MR_PROMISC = 1


def opened(name):
    """Opens a socket for all frames of an interface, including those for other receivers."""
    link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    link.bind((name, 0))
    index = socket.if_nametoindex(name)
    membership = index.to_bytes(4, sys.byteorder) + PACKET_MR_PROMISC.to_bytes(2, sys.byteorder) + bytes(10)
    link.setsockopt(SOL_PACKET, PACKET_ADD_MEMBERSHIP, membership)
    link.setblocking(False)
    return link


def main():
    one, other = (opened(name) for name in sys.argv[1:3])
    delay, loss = float(sys.argv[3]) / 1000, float(sys.argv[4]) / 100
    dice = random.Random(1)
    waiting = []
    count = 0
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, link, frame = heapq.heappop(waiting)
            try:
                link.send(frame)
            except OSError:
                pass  # The frame is lost.
        pause = max(0.0, waiting[0][0] - now) if waiting else None
        for link in select.select([one, other], [], [], pause)[0]:
            try:
                frame, address = link.recvfrom(1 << 17)
            except BlockingIOError:
                continue
            if address[2] == PACKET_OUTGOING or dice.random() < loss:
                continue
            count += 1
            away = other if link is one else one
            heapq.heappush(waiting, (time.monotonic() + delay, count, away, frame))


if __name__ == "__main__":
    main()
